//! Ways to be wrong, and who must notice.

use super::faults::Fault;

/// A way to be wrong and the cases that must notice.
pub struct Expectation {
    pub name: &'static str,
    pub fault: Fault,
    /// Parts of the suite where they stand.
    pub tables: &'static [&'static str],
    /// Cases that must fail, among others.
    pub caught_by: &'static [&'static str],
}

/// Every way that is tried.
pub const EXPECTATIONS: &[Expectation] = &[
    Expectation {
        name: "moves_are_promised_and_not_done",
        fault: Fault::ForgetsMoves,
        tables: &["moves"],
        caught_by: &[
            "what_a_server_leaves_in_an_empty_store_gives_way",
            "what_an_owner_did_does_not_give_way",
        ],
    },
    Expectation {
        name: "a_wide_stream_is_typed_in_part",
        fault: Fault::TypesOnlySome,
        tables: &["wide"],
        caught_by: &[
            "a_wider_stream_is_refused_by_its_name",
            "a_stream_that_grows_too_wide_stays_as_it_was",
        ],
    },
    Expectation {
        name: "related_records_blobs_and_words_forget_the_time_limit",
        fault: Fault::ForgetsTime,
        tables: &["related", "blobs", "search"],
        caught_by: &[
            "related_records_keep_within_the_scope",
            "a_blob_is_seen_within_the_scope_alone",
            "search_keeps_within_the_scope",
            "the_cap_counts_visible_rows_only",
        ],
    },
    Expectation {
        name: "related_records_blobs_and_words_forget_the_codes",
        fault: Fault::ForgetsCodes,
        tables: &["related", "blobs", "search"],
        caught_by: &[
            "related_records_keep_within_the_scope",
            "a_blob_is_seen_within_the_scope_alone",
            "search_keeps_within_the_scope",
        ],
    },
    Expectation {
        name: "related_records_blobs_and_words_forget_the_list_of_records",
        fault: Fault::ForgetsRecordList,
        tables: &["related", "blobs", "search"],
        caught_by: &[
            "related_records_keep_within_the_scope",
            "a_blob_is_seen_within_the_scope_alone",
            "search_keeps_within_the_scope",
        ],
    },
    Expectation {
        name: "related_records_and_blobs_show_hidden_fields",
        fault: Fault::ShowsHiddenFields,
        tables: &["related", "blobs"],
        caught_by: &[
            "related_records_keep_within_the_scope",
            "a_blob_is_seen_within_the_scope_alone",
        ],
    },
    Expectation {
        name: "a_related_list_is_cut_short_in_silence",
        fault: Fault::HidesTheRest,
        tables: &["related"],
        caught_by: &["groups_answer_in_their_order", "a_full_answer_says_what_it_left_out"],
    },
    Expectation {
        name: "a_blob_is_off_by_one",
        fault: Fault::ShiftsBlobs,
        tables: &["blobs"],
        caught_by: &["a_blob_reads_back_from_anywhere"],
    },
    Expectation {
        name: "words_far_into_a_field_are_lost",
        fault: Fault::LosesFarWords,
        tables: &["search"],
        caught_by: &["a_word_far_into_a_long_field_knows_its_place"],
    },
    Expectation {
        name: "what_changes_between_two_pages_is_lost",
        fault: Fault::LosesWhatChanged,
        tables: &["search"],
        caught_by: &["a_later_page_finds_the_same_and_tells_changes_apart"],
    },
    Expectation {
        name: "a_search_tells_of_hidden_changes",
        fault: Fault::RevealsHiddenChanges,
        tables: &["search"],
        caught_by: &["what_is_hidden_decides_nothing_between_two_pages"],
    },
    Expectation {
        name: "changes_and_numbers_forget_the_time_limit",
        fault: Fault::ForgetsTime,
        tables: &["changes", "aggregates"],
        caught_by: &[
            "a_record_that_leaves_is_reported_gone",
            "changes_of_a_hidden_record_never_show",
            "hidden_records_count_nowhere",
        ],
    },
    Expectation {
        name: "changes_and_numbers_forget_the_codes",
        fault: Fault::ForgetsCodes,
        tables: &["changes", "aggregates"],
        caught_by: &[
            "a_record_that_leaves_is_reported_gone",
            "changes_of_a_hidden_record_never_show",
            "hidden_records_count_nowhere",
        ],
    },
    Expectation {
        name: "changes_of_hidden_fields_show",
        fault: Fault::RevealsHiddenChanges,
        tables: &["changes"],
        caught_by: &["a_hidden_change_is_no_change"],
    },
    Expectation {
        name: "changes_forget_the_list_of_records",
        fault: Fault::ForgetsRecordList,
        tables: &["changes"],
        caught_by: &["changes_of_a_hidden_record_never_show"],
    },
    Expectation {
        name: "a_page_loses_what_equals_its_cursor",
        fault: Fault::DropsTies,
        tables: &["paging"],
        caught_by: &[
            "equal_times_page_without_loss",
            "ties_across_connections_page_without_loss",
            "filtered_and_sorted_pages_reach_the_end",
        ],
    },
    Expectation {
        name: "missing_values_come_first_backwards",
        fault: Fault::MissingFirst,
        tables: &["paging", "records"],
        caught_by: &[
            "missing_values_come_last_in_both_directions",
            "missing_values_page_without_loss",
            "three_connections_merge_into_one_order",
        ],
    },
    Expectation {
        name: "connections_are_joined_and_not_merged",
        fault: Fault::JoinsConnections,
        tables: &["paging"],
        caught_by: &[
            "three_connections_merge_into_one_order",
            "ties_across_connections_page_without_loss",
        ],
    },
    Expectation {
        name: "the_time_limit_is_one_second_too_wide",
        fault: Fault::WidensTime,
        tables: &["records"],
        caught_by: &[
            "a_time_limit_includes_its_beginning_and_excludes_its_end",
            "a_time_limit_needs_no_format",
        ],
    },
    Expectation {
        name: "nobody_looks_at_the_time_limit",
        fault: Fault::ForgetsTime,
        tables: &["records", "text", "writes"],
        caught_by: &[
            "a_time_limit_includes_its_beginning_and_excludes_its_end",
            "missing_and_unreadable_times_lie_outside",
            "a_frozen_time_field_needs_no_typed_copy",
            "limits_add_up",
            "text_of_a_record_that_left_is_gone",
            "a_record_that_moves_out_of_the_view_is_gone",
        ],
    },
    Expectation {
        name: "hidden_fields_show",
        fault: Fault::ShowsHiddenFields,
        tables: &["records", "text"],
        caught_by: &[
            "only_the_fields_of_the_scope_exist",
            "a_hidden_time_field_still_limits",
            "a_hidden_field_is_no_field",
        ],
    },
    Expectation {
        name: "hidden_changes_move_the_time",
        fault: Fault::RevealsHiddenChanges,
        tables: &["writes"],
        caught_by: &[
            "a_change_in_a_hidden_field_shows_nowhere",
            "a_change_in_a_visible_field_moves_its_time",
        ],
    },
    Expectation {
        name: "marked_records_show",
        fault: Fault::ForgetsCodes,
        tables: &["records"],
        caught_by: &["records_with_codes_can_be_left_out", "limits_add_up"],
    },
    Expectation {
        name: "other_records_show",
        fault: Fault::ForgetsRecordList,
        tables: &["records", "text"],
        caught_by: &[
            "only_the_records_of_the_scope_exist",
            "an_empty_scope_shows_nothing",
            "a_key_in_two_connections_is_ambiguous",
        ],
    },
    Expectation {
        name: "windows_are_off_by_one_behind_a_border",
        fault: Fault::ShiftsWindows,
        tables: &["text"],
        caught_by: &[
            "windows_around_chunk_borders_are_exact",
            "neighbouring_windows_give_the_text_back",
        ],
    },
    Expectation {
        name: "matches_need_the_same_case",
        fault: Fault::MindsCase,
        tables: &["text"],
        caught_by: &["case_is_ignored_by_simple_folding", "positions_are_of_the_original"],
    },
    Expectation {
        name: "deletes_are_forgotten",
        fault: Fault::ForgetsDeletes,
        tables: &["writes"],
        caught_by: &[
            "each_write_says_what_it_did",
            "the_good_records_of_a_batch_can_be_kept",
            "the_last_record_of_a_key_wins",
        ],
    },
    Expectation {
        name: "refused_batches_are_kept",
        fault: Fault::KeepsRefusedBatches,
        tables: &["writes"],
        caught_by: &["one_refusal_undoes_an_all_or_nothing_batch"],
    },
    Expectation {
        name: "counts_see_everything",
        fault: Fault::CountsEverything,
        tables: &["records", "paging"],
        caught_by: &[
            "a_time_limit_includes_its_beginning_and_excludes_its_end",
            "only_the_records_of_the_scope_exist",
            "every_range_operator_keeps_its_edge",
            "filtered_and_sorted_pages_reach_the_end",
        ],
    },
    Expectation {
        name: "erasures_are_promised_and_not_done",
        fault: Fault::ForgetsErasure,
        tables: &["writes"],
        caught_by: &[
            "an_erased_record_is_gone_and_can_come_back",
            "an_append_only_record_can_be_erased",
        ],
    },
];
