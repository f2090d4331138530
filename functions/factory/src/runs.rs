//! Runs and their logs.

pub(crate) mod cancel;
pub(crate) mod get;
pub(crate) mod list;
pub(crate) mod list_of_item;
pub(crate) mod log;
pub(crate) mod start;

use svc_app::factory::runs::Slice;
use svc_http::Paging;

/// The part of a list that a page is.
const fn slice(paging: Paging) -> Slice {
    Slice { offset: paging.offset(), limit: paging.page_size as usize }
}
