//! `GET …/projects/{key}/export`: a project as records.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use futures::{StreamExt as _, TryStreamExt as _, stream};
use svc_app::tracker::project_export::{self, Export, Part};
use svc_app::{App, Error, heavy};
use svc_http::doc::operation;
use svc_http::paths::ProjectPath;
use svc_http::{ApiResult, Caller, Lines, Path};
use svc_present::tracker::records;

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<ProjectPath>,
) -> ApiResult<Lines> {
    let place = heavy::table().await?;
    let export = project_export::begin(&app, caller.at(&path.slug), &path.key).await?;
    // The place is given back when the last line was sent, or nobody reads them any more.
    let pieces = stream::try_unfold((export, place), |(mut export, place)| async move {
        let lines = next(&mut export).await?;
        Ok::<_, Error>(lines.map(|lines| (lines, (export, place))))
    });
    Ok(Lines::named(&format!("{}.ndjson", path.key), pieces.map_ok(Into::into).boxed()))
}

async fn next(export: &mut Export) -> Result<Option<Vec<u8>>, Error> {
    let Some(parts) = export.next().await? else { return Ok(None) };
    let bytes = parts.iter().map(Part::size).sum();
    heavy::on_texts(bytes, move || records::lines(parts)).await.map(Some)
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    operation(
        op,
        "exportProject",
        "Projects",
        "Export a project",
        "The project as records, one JSON object a line, its `kind` first: the project, then persons, labels, \
         milestones, sprints, items, comments, links and attachments, as far as the caller sees them. The lines are \
         those that an import takes (`POST …/import`). Addresses of persons are there for Owners and Admins of the \
         organization. An export that fails breaks off. The bytes of attachments are read from their own addresses, \
         by their ids.",
    )
}
