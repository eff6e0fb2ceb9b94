-- Words are collected and sorted into the index once per transaction, by the transaction itself: a word
-- that a thousand rows of a batch hold is entered once instead of a thousand times. Nothing is left
-- pending when it commits, so no search reads a list of pending entries to its end.
ALTER INDEX search_index_by_word SET (fastupdate = on);
