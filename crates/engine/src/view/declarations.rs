//! Parsed declarations, kept by the digest of their content: they never change.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use pdpp_contract::roles::Roles;
use pdpp_contract::{ApiError, ErrorCode, SourceDeclaration, StreamDeclaration, StreamName};
use pdpp_store::Store;
use pdpp_store::connections::DeclarationDigest;

use crate::refusal::from_store;

/// More declarations than a store usually has; beyond it the cache starts over.
const MOST_KEPT: usize = 256;

/// A declaration with its streams at hand.
pub(crate) struct Declared {
    pub source: SourceDeclaration,
    streams: HashMap<StreamName, (Arc<StreamDeclaration>, Arc<Roles>)>,
}

impl Declared {
    pub(crate) fn new(source: SourceDeclaration) -> Self {
        let streams = source.streams.iter();
        let streams = streams.map(|stream| {
            let roles = Arc::new(Roles::of_stream(stream));
            (stream.name.clone(), (Arc::new(stream.clone()), roles))
        });
        Self { streams: streams.collect(), source }
    }

    /// The stream's declaration.
    pub(crate) fn stream(&self, name: &StreamName) -> Option<&Arc<StreamDeclaration>> {
        self.streams.get(name).map(|(stream, _)| stream)
    }

    /// What the stream's fields are to a reader.
    pub(crate) fn roles(&self, name: &StreamName) -> Option<&Arc<Roles>> {
        self.streams.get(name).map(|(_, roles)| roles)
    }
}

/// Loads declarations and remembers them.
pub(crate) struct Declarations {
    store: Arc<dyn Store>,
    kept: Mutex<HashMap<DeclarationDigest, Arc<Declared>>>,
}

impl Declarations {
    pub(crate) fn new(store: Arc<dyn Store>) -> Self {
        Self { store, kept: Mutex::new(HashMap::new()) }
    }

    /// The declaration with this digest.
    pub(crate) async fn get(&self, digest: DeclarationDigest) -> Result<Arc<Declared>, ApiError> {
        if let Some(kept) = self.kept.lock().unwrap_or_else(PoisonError::into_inner).get(&digest) {
            return Ok(Arc::clone(kept));
        }
        let unreadable =
            || ApiError::new(ErrorCode::ApiFault, "a stored declaration is unreadable");
        let json = self.store.declaration(digest).await.map_err(from_store)?;
        let declaration =
            SourceDeclaration::parse(&json.ok_or_else(unreadable)?).map_err(|_| unreadable())?;
        let declaration = Arc::new(Declared::new(declaration));
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.len() >= MOST_KEPT {
            kept.clear();
        }
        kept.insert(digest, Arc::clone(&declaration));
        Ok(declaration)
    }
}
