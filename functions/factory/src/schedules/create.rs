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
        "For Admins of the project. At each due time, an item is created from the template and a run of it is \
        queued, with the rights that the caller has at that time. A due time is skipped while the last item has a \
        live run. If the server was down, only the last missed due time fires. A project has at most 20 schedules; \
        their names are unique. {date}, \
         {time} and {week} stand for the due time; other words in braces are refused in the title.",
    )
}
