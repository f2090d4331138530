//! The axum kit that every API area is built with: extraction of caller, path, query and body; one problem
//! document for every error; paging; the request budget; idempotency keys; OpenAPI helpers; serving on a
//! socket.
//!
//! Owns every status code and header of the service. Knows no area and no storage engine.

mod body;
mod browser;
pub mod content;
pub mod deprecation;
pub mod doc;
mod ended_session;
mod error;
mod events;
mod extract;
mod held;
mod idempotency;
mod known_query;
mod leading;
mod lines;
mod new_key;
mod paging;
pub mod paths;
pub mod problems;
mod rate_limit;
mod reread;
mod respond;
pub mod scim;
mod serve;
mod session_cookie;
mod socket;
mod trace;

pub use body::{Body, BodyLimit, Exact, json_bytes};
pub use browser::Reader;
pub use ended_session::OptionalCaller;
pub use error::{ApiError, ApiResult};
pub use events::{Event, EventRequest, Events};
pub use extract::{ACCOUNT_HEADER, Caller, ClientIp, Path, Query, REQUEST_HEADER, SESSION_COOKIE, Visitor};
pub use held::{Held, Holder};
pub use known_query::any_query;
pub use lines::Lines;
pub use paging::{Paging, page};
pub use problems::{PROBLEMS, ProblemKind, problem_of};
pub use rate_limit::FromWithin;
pub use respond::{
    Created, CreatedAt, CreatedOnce, Json, JsonOrNothing, NoContent, Reply, SeeOther, SteadyJson,
    kept_by_nobody, revalidated,
};
pub use serve::{api, finish, finish_with};
pub use session_cookie::{AttemptCookie, SessionCookie};
pub use socket::{Limits, serve_socket};
pub use trace::{Trace, current_trace_id};

/// Router of an API area: its state is the application.
pub type ApiRouter = aide::axum::ApiRouter<std::sync::Arc<svc_app::App>>;
