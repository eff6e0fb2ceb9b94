//! The one script: keeps the sentence true while the owner chooses. The page works without it.

use std::sync::LazyLock;

use axum::response::Response;

use crate::pages::asset::Asset;

const SCRIPT: &str = include_str!("../../../templates/consent.js");

/// The script as pages name it.
pub fn asset() -> &'static Asset {
    static ASSET: LazyLock<Asset> = LazyLock::new(|| {
        Asset::new("/assets/consent.js", "text/javascript; charset=utf-8", SCRIPT)
    });
    &ASSET
}

/// `GET /assets/consent.js`
pub async fn script() -> Response {
    asset().response()
}
