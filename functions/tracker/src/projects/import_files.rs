//! `POST …/projects/{key}/import/files`: brings an export of another tracker into a project, part by part.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use jiff::SignedDuration;
use svc_api::records::{ImportRecords, Imported};
use svc_app::App;
use svc_app::tracker::project_import;
use svc_http::doc::operation;
use svc_http::paths::ProjectPath;
use svc_http::{ApiResult, Body, Caller, Json, Path};
use svc_import::exports::{ImportedPart, ReadExport};
use svc_present::tracker::records;

use super::exports::{read, states_for};

/// How long a request goes on with further batches.
const WHILE: SignedDuration = SignedDuration::from_secs(4);

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<ProjectPath>,
    Body(wanted): Body<ReadExport>,
) -> ApiResult<Json<ImportedPart>> {
    let states = states_for(&app, caller.at(&path.slug), &path.key).await?;
    let (now, from) = (app.now(), wanted.from);
    let part = read(move || svc_import::part(&wanted, &states, now)).await?;
    let mut came =
        ImportedPart { imported: Imported::default(), done: from, records: part.records, next: None };
    let is_last = |done: u64| done >= part.records;
    for (before, batch) in part.batches {
        let done = before + batch.count;
        let records = ImportRecords { source: part.source.clone(), dry_run: false, records: batch.records };
        let import = records::import(records)?;
        let outcome = project_import::import(&app, caller.at(&path.slug), &path.key, &import).await?;
        add(&mut came.imported, records::imported(outcome));
        came.done = done;
        if app.now().duration_since(now) >= WHILE {
            break;
        }
    }
    came.next = Some(came.done).filter(|done| !is_last(*done) && *done > from);
    Ok(Json(came))
}

fn add(sum: &mut Imported, more: Imported) {
    sum.created += more.created;
    sum.changed += more.changed;
    sum.unchanged += more.unchanged;
    sum.skipped.extend(more.skipped);
    sum.items.extend(more.items);
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    operation(
        op,
        "importFiles",
        "Projects",
        "Import an export of another tracker",
        "For Admins of the project. Brings what a preview told into the project, as `svc import` does, for some seconds. \
         Send the same with `from` as `next` says until there is no `next`. A record that came before does not come \
         again, so a request may be repeated, and an import that broke off begins anew. No file is kept, and files of \
         attachments do not come: where the source has an address, it becomes a link.",
    )
}
