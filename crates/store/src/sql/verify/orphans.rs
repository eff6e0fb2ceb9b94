//! The full check across tables: rows that lost what they belong to, marks that say something else.

/// What must not exist, with the question that counts it.
pub(super) const ORPHANS: &[(&str, &str)] = &[
    (
        "records without a key",
        "SELECT count(*) FROM records r LEFT JOIN record_keys k USING (record_no)
          WHERE k.record_no IS NULL",
    ),
    (
        "texts without a record",
        "SELECT count(*) FROM texts t LEFT JOIN records r USING (record_no)
          WHERE r.record_no IS NULL",
    ),
    (
        "chunks without a text",
        "SELECT count(*) FROM text_chunks c LEFT JOIN texts t ON t.text_no = c.chunk_no >> 24
          WHERE t.text_no IS NULL",
    ),
    (
        "blob references without a record",
        "SELECT count(*) FROM blob_refs b LEFT JOIN records r USING (record_no)
          WHERE r.record_no IS NULL",
    ),
    (
        "versions without a key",
        "SELECT count(*) FROM versions v LEFT JOIN record_keys k USING (record_no)
          WHERE k.record_no IS NULL",
    ),
    (
        "keys whose newest version is not their last change",
        "SELECT count(*) FROM record_keys k WHERE k.change_no IS DISTINCT FROM
            (SELECT max(v.change_no) FROM versions v WHERE v.record_no = k.record_no)",
    ),
    (
        "changes without a version",
        "SELECT count(*) FROM changes c LEFT JOIN versions v
             ON v.record_no = c.record_no AND v.change_no = c.change_no
          WHERE v.record_no IS NULL",
    ),
    (
        "versions that the change log lacks",
        "SELECT count(*) FROM versions v JOIN record_keys k USING (record_no)
           LEFT JOIN changes c
             ON c.collection_no = k.collection_no AND c.change_no = v.change_no
          WHERE c.record_no IS DISTINCT FROM v.record_no",
    ),
    (
        "records in another stream than their key",
        "SELECT count(*) FROM records r JOIN record_keys k USING (record_no)
          WHERE r.collection_no IS DISTINCT FROM k.collection_no",
    ),
    (
        "records whose mark for long texts is wrong",
        "SELECT count(*) FROM records r
          WHERE ((r.flags & 2) <> 0) <>
                EXISTS (SELECT 1 FROM texts t WHERE t.record_no = r.record_no)",
    ),
    (
        "revised records without their mark",
        "SELECT count(*) FROM records r
          WHERE (r.flags & 4) = 0
            AND (SELECT count(*) FROM versions v WHERE v.record_no = r.record_no) > 1",
    ),
    ("records with unknown marks", "SELECT count(*) FROM records WHERE (flags & ~63) <> 0"),
    (
        "keys that lost their record",
        "SELECT count(*) FROM record_keys k LEFT JOIN records r USING (record_no)
          WHERE r.record_no IS NULL
            AND (SELECT v.deleted FROM versions v
                  WHERE v.record_no = k.record_no
                  ORDER BY v.change_no DESC LIMIT 1) IS DISTINCT FROM 1",
    ),
    (
        "deletions that hold content",
        "SELECT count(*) FROM versions
          WHERE deleted <> 0
            AND (flags <> 0 OR time_key IS NOT NULL OR length(field_hashes) > 0)",
    ),
    (
        "versions of the wrong form",
        "SELECT count(*) FROM versions
          WHERE deleted NOT IN (0, 1)
             OR length(field_hashes) % 10 <> 0
             OR length(time_key) <> 13
             OR (flags & ~63) <> 0",
    ),
    (
        "change numbers beyond the counter",
        "SELECT count(*) FROM record_keys WHERE change_no > (SELECT change_no FROM change_counter)",
    ),
    (
        "change numbers given twice",
        "SELECT count(*) FROM (SELECT change_no FROM versions GROUP BY change_no HAVING count(*) > 1)
             AS twice",
    ),
];
