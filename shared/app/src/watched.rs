//! What operators watch: the counters of this process, beside what waits in the store when they are read.

use jiff::Timestamp;
use svc_storage::{Query, Range, keys};

use crate::App;
use crate::dead_letters;
use crate::error::Result;
use crate::health::Condition;
use crate::metrics::Waiting;

/// The metrics of this process as text of OpenMetrics. `store_bytes` is the size of the store, where the process knows it.
/// Of a store that is gone nothing waits: that it is gone is to be told.
///
/// # Errors
/// Those of storage.
pub async fn metrics(app: &App, store_bytes: Option<u64>) -> Result<String> {
    let condition = app.health.condition(&*app.table, &*app.blobs, app.now()).await;
    let (dead_letters, outbox_age) = match condition {
        Condition::Lost => (0, 0.0),
        _ => (dead_letters::list(app).await?.len(), outbox_age(app).await?),
    };
    let store_well = condition == Condition::Well;
    Ok(app.metrics.text(Waiting { dead_letters, outbox_age, store_bytes, store_well }))
}

/// Seconds since the oldest message of the outbox was to be sent.
async fn outbox_age(app: &App) -> Result<f64> {
    let mut oldest = app.now();
    for shard in 0..keys::OUTBOX_SHARDS {
        let page = app.table.query(&Query::new(keys::outbox_pk(shard), Range::All, 1)).await?;
        let time = page.rows.first().and_then(|row| keys::time_of(&row.key.sk));
        let at = time.and_then(|millis| Timestamp::from_millisecond(millis).ok());
        oldest = at.map_or(oldest, |at| oldest.min(at));
    }
    Ok(app.now().duration_since(oldest).as_secs_f64())
}
