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
use svc_app::budget::{Account, Admission, Hold};

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

/// Whose answer would be held open, and on which connection.
#[derive(Clone, Default)]
pub struct Holder {
    account: Option<Account>,
    admission: Option<Admission>,
    line: Option<Line>,
}

impl Holder {
    /// Of the request that has these parts.
    pub fn of(parts: &Parts) -> Self {
        let extensions = &parts.extensions;
        Self {
            account: extensions.get().cloned(),
            admission: extensions.get().cloned(),
            line: extensions.get().cloned(),
        }
    }

    /// Holds the answer open.
    ///
    /// # Errors
    /// `rate-limited` where the account holds as many as it may.
    pub fn hold(&self, app: &App) -> Result<Held, ApiError> {
        // A request without an existing credential is refused before anything is held.
        let Some(account) = &self.account else {
            return Ok(Held { _of_account: None, _of_connection: None });
        };
        let hold = app.held.hold(account).ok_or_else(|| too_many(account))?;
        if let Some(admission) = &self.admission {
            admission.leave();
        }
        let holding = self.line.as_ref().map(|line| line.hold(account.name()));
        Ok(Held { _of_account: Some(hold), _of_connection: holding })
    }
}

impl FromRequestParts<Arc<App>> for Held {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, ApiError> {
        Holder::of(parts).hold(app)
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
