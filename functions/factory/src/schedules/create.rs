//! `POST …/schedules`: makes a schedule.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::factory::{NewSchedule, Schedule};
use svc_app::App;
use svc_app::factory::schedules;
use svc_http::doc::{operation, refuses};
use svc_http::paths::ProjectPath;
use svc_http::problems::{ALREADY_EXISTS, CONFLICT};
use svc_http::{ApiResult, Body, Caller, Created, Path};
use svc_present::factory::schedules as shown;

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<ProjectPath>,
    Body(new): Body<NewSchedule>,
) -> ApiResult<Created<Schedule>> {
    let new = shown::new_schedule(new)?;
    let schedule = schedules::create(&app, caller.at(&path.slug), &path.key, &new).await?;
    Ok(Created(shown::schedule(schedule)))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    let op = refuses(op, &[ALREADY_EXISTS, CONFLICT]);
    operation(
        op,
        "createSchedule",
        "Schedules",
        "Create a schedule",
        "For Admins of the project. At each due time an item is made from the template and a run of it is queued, with the \
         rights that the caller has then. A due time is skipped while the last item has a live run. After a time without \
         a server, the last due time that was missed fires. A project has at most 20 schedules, of different names. {date}, \
         {time} and {week} stand for the due time; other words in braces are refused in the title.",
    )
}
