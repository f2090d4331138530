//! Callbacks that a browser reaches from another site. A person always sees a page of the web app, even after a
//! failure; a program gets the problem document.

use std::sync::Arc;

use axum::extract::FromRequestParts;
use http::request::Parts;
use http::{HeaderName, header};
use svc_api::Problem;
use svc_app::App;
use url::form_urlencoded::Serializer;

use crate::error::{ApiError, ApiResult};
use crate::respond::{Reply, SeeOther};
use crate::trace::current_trace_id;

/// Name of the cookie that tells a page why its reader was refused.
const TOLD: &str = "svc.told";

/// How long the page has to read it, in seconds.
const KEPT_FOR: u32 = 60;

/// Who reads the answer: a person at a browser, which asks for a page, or a program.
pub struct Reader {
    person: bool,
}

impl Reader {
    /// The outcome as it is; for a person who was refused, the page at `path`. A cookie tells the page why: words in
    /// its address could be put there by anybody's link.
    ///
    /// # Errors
    /// The refusal, for a program.
    pub fn answer(self, outcome: ApiResult<Reply<SeeOther>>, path: &str) -> ApiResult<Reply<SeeOther>> {
        match outcome {
            Err(refused) if self.person => {
                let problem = refused.problem();
                let page = SeeOther(format!("{path}?problem={}", problem.kind));
                Ok(Reply { body: page, headers: vec![told(problem, path)] })
            }
            outcome => outcome,
        }
    }
}

fn told(problem: &Problem, path: &str) -> (HeaderName, String) {
    let mut words = Serializer::new(String::new());
    words.append_pair("title", &problem.title);
    if let Some(detail) = &problem.detail {
        words.append_pair("detail", detail);
    }
    words.append_pair("trace", &current_trace_id());
    let words = words.finish();
    (header::SET_COOKIE, format!("{TOLD}={words}; Path={path}; Max-Age={KEPT_FOR}; SameSite=Lax"))
}

impl FromRequestParts<Arc<App>> for Reader {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &Arc<App>) -> Result<Self, ApiError> {
        let mut accepted =
            parts.headers.get_all(header::ACCEPT).iter().filter_map(|value| value.to_str().ok());
        Ok(Self { person: accepted.any(|value| value.contains("text/html")) })
    }
}

impl aide::OperationInput for Reader {}
