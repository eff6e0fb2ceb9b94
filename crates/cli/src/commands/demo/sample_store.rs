//! The sample store: filled through the same door as real data, so that it proves that door too.

use std::io;

use pdpp_auth::{AllowSpec, PackageRequest, Standing};
use pdpp_contract::access::GrantSelector;
use pdpp_contract::blob::BlobId;
use pdpp_contract::import::ImportItem;
use pdpp_contract::{AccessMode, ClientName, ConnectionName, SourceDeclaration};
use pdpp_engine::import::ImportRequest;

use crate::app::issue::issue;
use crate::app::{CliApp, not_opened};
use crate::data_dir::DataDir;
use crate::demo_data::{CONNECTIONS, DemoConnection, DemoFile, FILES};
use crate::failure::{Exit, Failure};

/// The agent of the sample.
pub const CLIENT: &str = "demo-agent";
/// What it may read. Not everything, so that there is something to be refused: no chats, no AI
/// conversations, no bodies of personal mail, nothing about who else is invited.
const ALLOWED: &[&str] = &[
    "work-mail/messages:message_id,thread_id,subject,from_name,from_address,to,sent_at,body_text",
    "work-mail/threads:thread_id,subject,last_message_at,message_count",
    "work-mail/attachments",
    "personal-mail/messages:message_id,thread_id,subject,from_name,sent_at@2026-07-01..",
    "notes",
    "shop-orders/orders:order_id,placed_at,status,currency,total,refunded,item_count",
    "shop-orders/items",
    "calendar/events:event_id,title,date,starts_at,ends_at,all_day,location,status",
];

/// Erases the sample store, its credentials and the address of its database. Only what the demo makes
/// is touched.
pub async fn erase(data_dir: &DataDir) -> Result<(), Failure> {
    if let Some(database) = data_dir.database() {
        let erased = pdpp_store::erase_schema(database.clone()).await;
        erased.map_err(|error| not_opened(error, data_dir))?;
    }
    let store = data_dir.store();
    for suffix in ["", "-wal", "-shm", "-journal"] {
        let mut path = store.clone().into_os_string();
        path.push(suffix);
        gone(std::fs::remove_file(&path), path.as_ref())?;
    }
    let address = data_dir.kept_address();
    gone(std::fs::remove_file(&address), &address)?;
    let blobs = data_dir.blobs();
    gone(std::fs::remove_dir_all(&blobs), &blobs)?;
    let credentials = data_dir.credentials();
    gone(std::fs::remove_dir_all(&credentials), &credentials)
}

fn gone(outcome: io::Result<()>, path: &std::path::Path) -> Result<(), Failure> {
    match outcome {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            Err(Failure::file("delete", path, &error))
        }
        _ => Ok(()),
    }
}

/// Imports every connection; what is there already stays as it is.
pub async fn fill(app: &CliApp) -> Result<(), Failure> {
    for file in FILES {
        keep_file(app, file).await?;
    }
    for connection in CONNECTIONS {
        fill_one(app, connection).await?;
    }
    Ok(())
}

/// The bytes of an attachment; what is there already stays as it is.
async fn keep_file(app: &CliApp, file: &DemoFile) -> Result<(), Failure> {
    let mut blob = app.engine.new_blob(&app.owner()).await?;
    blob.write(file.content.to_vec()).await?;
    blob.keep(BlobId::from_hex(file.sha256), file.mime_type.to_owned()).await?;
    Ok(())
}

async fn fill_one(app: &CliApp, connection: &DemoConnection) -> Result<(), Failure> {
    let declaration = SourceDeclaration::parse(connection.declaration);
    let request = ImportRequest {
        name: ConnectionName::new(connection.name)?,
        display_name: Some(connection.display_name.parse()?),
        declaration: declaration.map_err(Failure::declaration)?,
        new_id: app.new_connection_id()?,
        dry_run: false,
    };
    let name = connection.name;
    let items = connection.lines().zip(1..).map(move |(line, position)| {
        Ok(ImportItem::from_line(name, position, line.into_owned().into_bytes()))
    });
    let items = Box::new(items);
    let report = app.engine.import(&app.owner(), request, items, Box::new(|_| {})).await?;
    match report.rejections.first() {
        None => Ok(()),
        Some(first) => {
            let place = format!("{} line {}", first.source, first.position);
            let message = format!("invalid sample data: {place}: {}", first.message);
            Err(Failure::new(Exit::Other, first.code.as_str(), message))
        }
    }
}

/// The token of the sample agent: the one on this machine while it lives, else a fresh one.
pub async fn agent_token(app: &CliApp) -> Result<String, Failure> {
    let client = ClientName::new(CLIENT)?;
    let packages = app.auth.packages(&app.owner()).await?;
    let kept = app.credentials().find(&client)?;
    let lives = |stored: &crate::data_dir::credentials::StoredCredential| {
        packages.iter().any(|package| {
            package.package_id == stored.package_id && package.standing == Standing::Live
        })
    };
    if let Some(stored) = kept.filter(lives) {
        return Ok(stored.credential.access_token);
    }
    // A package whose token is lost opens nothing for anybody; it only clutters the list.
    if packages.iter().any(|package| package.client == client) {
        app.auth.revoke(&app.owner(), &GrantSelector::Client(client.clone())).await?;
    }
    let allow = ALLOWED.iter().map(|spec| spec.parse::<AllowSpec>());
    let request = PackageRequest {
        client,
        allow: allow.collect::<Result<_, _>>().map_err(pdpp_auth::AuthError::from)?,
        expires_in: None,
        access_mode: AccessMode::Continuous,
        leave_out_codes: true,
        leave_out_secrets: true,
    };
    Ok(issue(app, request).await?.package.access_token.reveal().to_owned())
}
