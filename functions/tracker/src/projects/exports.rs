//! Exports of other trackers, read where they keep no request waiting: one at a time.

use svc_app::heavy::Lane;
use svc_app::tracker::project_import;
use svc_app::{App, Caller, StorageError};
use svc_domain::ids::ProjectKey;
use svc_domain::refusal::Refusal;
use svc_http::{ApiError, ApiResult};
use svc_import::{About, Failure};
use svc_present::tracker::view;

/// One export is read at a time; few wait, with five megabytes each.
static READER: Lane = Lane::new(1, 8);

/// The states of the project, for those who may import into it.
///
/// # Errors
/// As those of an import.
pub(crate) async fn states_for(
    app: &App,
    caller: Caller<'_>,
    project: &ProjectKey,
) -> ApiResult<Vec<svc_api::tracker::WorkflowState>> {
    Ok(view::workflow(project_import::workflow(app, caller, project).await?).states)
}

/// Reads an export.
///
/// # Errors
/// What is wrong with it, by the field that says it; [`svc_app::Error::Busy`] where others are read for too long.
pub(crate) async fn read<T: Send + 'static>(
    read: impl FnOnce() -> Result<T, Failure> + Send + 'static,
) -> ApiResult<T> {
    READER.run(read).await?.map_err(refused)
}

fn refused(failure: Failure) -> ApiError {
    let field = match failure.about {
        About::Machine => {
            return svc_app::Error::from(StorageError::Unavailable(failure.title.into())).into();
        }
        About::File => "files",
        About::Dates => "dates",
        About::TimeZone => "timeZone",
        About::Only | About::MissingProject => "only",
        About::Mapping => "mapping",
        About::Columns => "columns",
    };
    let parts = [Some(failure.title), failure.detail];
    let mut words = parts.into_iter().flatten().collect::<Vec<_>>().join(": ");
    // A sentence begins with a capital, the name of a file as it is written.
    let begins_with_name = words.split(' ').next().is_some_and(|first| first.contains('.'));
    if let Some(first) = words.get(..1).filter(|_| !begins_with_name).map(str::to_uppercase) {
        words.replace_range(..1, &first);
    }
    Refusal::invalid(field, format!("{}.", words.trim_end_matches('.'))).into()
}
