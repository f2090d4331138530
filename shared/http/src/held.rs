//! Responses that are held open: event streams, and a runner's wait for work.
//!
//! Each occupies a connection while it lasts. So an account may have only a few at once ([`svc_app::budget`]), and
//! the socket knows which ones to close when connections are scarce. A handler that holds its response takes a
//! [`Held`]; [`EventRequest`](crate::EventRequest) includes one, so that no stream can forget it.

use std::fmt;
use std::sync::Arc;

use axum::extract::FromRequestParts;
use http::request::Parts;
use svc_app::App;
use svc_app::budget::{Account, Hold};

use crate::error::ApiError;
use crate::problems::RATE_LIMITED;
use crate::socket::{Holding, Line};

/// When to try again where an account holds too many answers, in seconds.
const AGAIN_IN: u32 = 10;

/// One answer that is held open until this is dropped.
pub struct Held {
    _of_account: Option<Hold>,
    _of_connection: Option<Holding>,
}

impl fmt::Debug for Held {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Held")
    }
}

impl FromRequestParts<Arc<App>> for Held {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, ApiError> {
        // Whoever presents no credential that exists is refused before anything is held.
        let Some(account) = parts.extensions.get::<Account>() else {
            return Ok(Self { _of_account: None, _of_connection: None });
        };
        let hold = app.held.hold(account).ok_or_else(|| too_many(account))?;
        let holding = parts.extensions.get::<Line>().map(|line| line.hold(account.name()));
        Ok(Self { _of_account: Some(hold), _of_connection: holding })
    }
}

fn too_many(account: &Account) -> ApiError {
    let why = format!(
        "This account has {} streams or other held answers open, and may have no more. Close one, or try again in \
         {AGAIN_IN} seconds.",
        account.most(),
    );
    ApiError::from(RATE_LIMITED.because(why)).again_in(AGAIN_IN)
}
