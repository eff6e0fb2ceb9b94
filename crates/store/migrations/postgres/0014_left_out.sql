-- Codes, and now secrets: what a grant may leave out.
--
-- The flags of records and versions have three more marks: 8 the record carries a secret, 16 and 32 it was
-- made from one that carries codes or secrets. What an earlier version stored waits for a new judgement:
-- 'judging' says how far it is (one byte: 1 when records by themselves are done; the collection; the
-- record), and is gone when it is done.
INSERT INTO store_meta (name, value)
SELECT 'judging', decode(repeat('00', 17), 'hex')
 WHERE EXISTS (SELECT 1 FROM records);

-- uncoded: 1 the record once was without codes, 2 without secrets, 4 without both. Of earlier prunings
-- only the first is known; the others are taken to be so.
UPDATE pruned SET uncoded = CASE WHEN uncoded <> 0 THEN 7 ELSE 2 END;
