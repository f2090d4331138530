//! Indexing a store that has no index.

use svc_app::search;
use svc_boot::open;

use crate::args::Args;
use crate::existing;
use crate::failure::Failure;
use crate::progress;

/// Has every text of the store indexed, and waits until that is done.
///
/// # Errors
/// What keeps the store from being opened, read or written.
pub async fn reindex(args: &Args) -> Result<(), Failure> {
    let opened = open(&existing::config(args)?).await?;
    let texts = search::reindex_all(&opened.app).await?;
    tracing::info!(texts, "indexing");
    progress::tell(&format!("indexing {texts} texts …"));
    let mut indexed = 0;
    loop {
        match search::index_waiting(&opened.app).await? {
            0 => break,
            more => indexed += more,
        }
        progress::tell(&format!("indexed {indexed} of {texts} texts"));
    }
    progress::tell("");
    opened.close().await;
    tracing::info!(texts, "indexed");
    Ok(())
}
