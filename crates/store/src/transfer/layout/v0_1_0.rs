//! The tables as version 0.1.0 had them, for backups that it wrote. Never edited.

use crate::transfer::{Table, passing, table};

/// Every table of schema 11.
pub(super) const TABLES: &[Table] = &[
    passing("store_meta", "name:t value:b"),
    table("declarations", "declaration_no:i digest:b connector_key:t json:t"),
    table(
        "connections",
        "connection_no:i connection_id:t name:t display_name:t connector_key:t declaration_no:i \
         created_at:t",
    ),
    table("projections", "projection_no:i connector_key:t stream:t shape:t"),
    table(
        "collections",
        "collection_no:i connection_no:i stream:t projection_no:i record_count:i declaration_no:i",
    ),
    table("collection_fields", "collection_no:i field_no:i name:t"),
    table("record_keys", "record_no:i collection_no:i change_no:i key_order:b"),
    table("records", "record_no:i collection_no:i flags:i emitted_at:t json:t"),
    table(
        "versions",
        "record_no:i change_no:i deleted:i flags:i emitted_at:t time_key:b field_hashes:b \
         other_times:b",
    ),
    passing("change_counter", "only_row:i change_no:i prunings:i"),
    table("changes", "collection_no:i change_no:i record_no:i"),
    table(
        "pruned",
        "record_no:i collection_no:i change_no:i uncoded:i time_min:b time_max:b lost:b \
         other_times:b",
    ),
    table("time_fields", "collection_no:i name:t"),
    table("texts", "text_no:i record_no:i kind:i chars:i bytes:i digest:b path:t"),
    table("text_chunks", "chunk_no:i text:t"),
    table(
        "quarantine",
        "item_no:i connection_no:i source:t position:i code:t message:t item:b created_at:t",
    ),
    table(
        "packages",
        "package_no:i package_id:t client:t access_mode:t created_at:t expires_at:t revoked_at:t",
    ),
    table("grants", "grant_no:i grant_id:t package_no:i connection_id:t revoked_at:t grant_json:t"),
    table(
        "tokens",
        "token_hash:b fingerprint:t kind:t package_no:i label:t created_at:t expires_at:t \
         revoked_at:t last_used_at:t family_no:i resource:t",
    ),
    table(
        "audit_events",
        "event_no:i at:t client:t package_id:t token_fingerprint:t operation:t connection_ids:t \
         stream:t records_returned:i bytes_returned:i outcome:t request_id:t hash:b",
    ),
    passing("audit_head", "only_row:i event_no:i hash:b"),
    table("search_fields", "field_no:i name:t"),
    table("search_rows", "row_no:i collection_no:i bag:b"),
    table("blobs", "sha256:b size_bytes:i created_at:t"),
    table("blob_refs", "sha256:b collection_no:i record_no:i field:t"),
    passing(
        "oauth_clients",
        "client_no:i client_id:t kind:t handle:t metadata_json:t security_hash:b created_at:t \
         approved_at:t last_used_at:t",
    ),
    passing(
        "oauth_requests",
        "request_no:i request_id:t client_no:i redirect_uri:t state:t code_challenge:t \
         resource:t scope:t details_json:t issuer:t requested_from:t same_as:b \
         user_code_hash:b device_hash:b poll_interval:i polled_at:t status:t draft_json:t \
         review_digest:b review_json:t created_at:t expires_at:t decided_at:t decided_in:t \
         package_no:i code_hash:b code_sealed:b code_expires_at:t redeemed_at:t family_no:i",
    ),
    passing("oauth_pushed", "uri_hash:b client_no:i params_json:t expires_at:t"),
    table(
        "oauth_families",
        "family_no:i package_no:i client_no:i resource:t scope:t security_hash:b by_key:i \
         created_at:t expires_at:t revoked_at:t revoked_why:t",
    ),
    table(
        "oauth_refresh_tokens",
        "token_hash:b family_no:i generation:i created_at:t expires_at:t superseded_at:t \
         successor_sealed:b",
    ),
    passing("oauth_documents", "url:t body:t fetched_at:t fresh_until:t"),
    passing("oauth_assertions", "assertion_hash:b expires_at:t"),
    table("owner_credential", "only_row:i password_hash:t set_at:t"),
    passing("owner_setup", "only_row:i code_hash:b expires_at:t"),
    table(
        "owner_sessions",
        "session_hash:b fingerprint:t device:t created_at:t authenticated_at:t last_seen_at:t",
    ),
    passing("login_failures", "who:t count:i last_at:t"),
    table("settings", "name:t value:t"),
];
