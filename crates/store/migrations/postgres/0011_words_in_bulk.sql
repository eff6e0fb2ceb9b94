-- Words are collected and sorted into the index once per transaction, by the transaction itself: a word
-- that a thousand rows of a batch hold is entered once instead of a thousand times. Nothing is left
-- pending when it commits, so no search reads a list of pending entries to its end.
--
-- Each word begins with the stretch of 16,384 records that its row belongs to, so that a search asks for
-- the newest rows first and stops: how many hexadecimal digits, as a letter, and the digits.
DROP INDEX search_index_by_word;
UPDATE search_index
   SET words = (SELECT array_to_tsvector(array_agg(
                           chr(97 + length(to_hex(row_no >> 30))) || to_hex(row_no >> 30) || t.word))
                  FROM unnest(tsvector_to_array(words)) AS t (word));
CREATE INDEX search_index_by_word ON search_index USING gin (words) WITH (fastupdate = on);
