//! Runs and their logs.

pub(crate) mod artifact;
pub(crate) mod artifacts;
pub(crate) mod cancel;
pub(crate) mod changes;
pub(crate) mod get;
pub(crate) mod go_on;
pub(crate) mod list;
pub(crate) mod list_of_item;
pub(crate) mod log;
pub(crate) mod log_stream;
pub(crate) mod preview;
pub(crate) mod retry;
pub(crate) mod start;

use aide::transform::TransformOperation;
use svc_api::factory::Run;
use svc_app::factory::runs::{RunView, Slice};
use svc_domain::ids::{OrgSlug, RunId};
use svc_http::paths::{OrgIdPath, RunPath};
use svc_http::{CreatedAt, Paging};
use svc_present::factory::view;

/// How a run is addressed: under its organization, or by its id alone.
pub(crate) trait RunAddress {
    /// The organization, where the address names it.
    fn org(&self) -> Option<&OrgSlug>;
    /// The run.
    fn run(&self) -> RunId;
}

impl RunAddress for OrgIdPath<RunId> {
    fn org(&self) -> Option<&OrgSlug> {
        Some(&self.slug)
    }

    fn run(&self) -> RunId {
        self.id
    }
}

impl RunAddress for RunPath {
    fn org(&self) -> Option<&OrgSlug> {
        None
    }

    fn run(&self) -> RunId {
        self.id
    }
}

/// Documents the address of an operation that does not name the organization.
pub(crate) fn by_id_alone(mut op: TransformOperation<'_>) -> TransformOperation<'_> {
    let operation = op.inner_mut();
    operation.operation_id = operation.operation_id.take().map(|id| format!("{id}ById"));
    operation.summary = operation.summary.take().map(|summary| format!("{summary} by its id alone"));
    op.description("The same operation without the organization in the path.")
}

/// A run that was queued, with its address.
pub(crate) fn created(run: RunView) -> CreatedAt<Run> {
    let run = view::run(run);
    CreatedAt(format!("/orgs/{}/runs/{}", run.organization, run.id), run)
}

/// The part of a list that a page is.
pub(crate) const fn slice(paging: Paging) -> Slice {
    Slice { offset: paging.offset(), limit: paging.page_size as usize }
}
