//! The header `Idempotency-Key`: a repeated POST is executed once and gets the first response again.
//!
//! Owns the HTTP side of [`svc_app::idempotency`]: which parts of a response to remember, and how to repeat it. If
//! the response describes a resource with its own address, that is read again first, so that nobody sees what they may
//! no longer see: 409 if it is gone. A body that was too long to keep is answered as the resource is now.
//!
//! The work continues if the client disconnects: a client that missed the response gets it with the same key.

use std::sync::Arc;

use axum::Router;
use axum::body::{Body, Bytes, to_bytes};
use axum::extract::Request;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use http::request::Parts;
use http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header, response};
use svc_app::idempotency::{Done, Known, Remembered, Reservation, look_up, remember};
use svc_app::{App, BearerCredential, Error};
use svc_domain::refusal::Refusal;
use tower::ServiceExt as _;

use crate::body::whole;
use crate::error::ApiError;
use crate::extract::presented;
use crate::leading::new_address;
use crate::paths::{Place, address_of};
use crate::problems::{CONFLICT, IN_PROGRESS, KEY_REUSED, MALFORMED};
use crate::trace::outlasting;

/// Tells that there is nothing to read where a request's result was.
const GONE: &str =
    "This request was carried out. What it made was deleted since, or you may no longer see it.";

/// Headers of a request that say who sends it.
const WHO: [HeaderName; 2] = [header::AUTHORIZATION, header::COOKIE];

/// How often an item that moved from project to project is followed.
const MOVES: usize = 4;

/// Longest body that is kept, in bytes. A longer one that cannot be read again is not remembered.
const KEPT: usize = 64 * 1024;

/// Marks the answer to a request that created what can be read at the answer's `Location` in the same shape.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ReadAgain;

/// A request with a key, and what is needed to answer it.
struct Keyed {
    app: Arc<App>,
    /// The routes, to read what was made again.
    routes: Router,
    caller: BearerCredential,
    key: String,
    head: Parts,
    body: Bytes,
}

/// Runs a request, honouring `Idempotency-Key` on POSTs that carry a credential.
pub(crate) async fn idempotent(app: &Arc<App>, routes: &Router, request: Request, next: Next) -> Response {
    if request.method() != Method::POST {
        return next.run(request).await;
    }
    // A credential that is not accepted is refused by the route, if it needs one.
    let presented = presented(request.headers(), request.method());
    let (Some(key), Ok(Some(caller))) = (request.headers().get("idempotency-key"), presented) else {
        return next.run(request).await;
    };
    let Some(key) = key.to_str().ok().filter(|key| (1..=200).contains(&key.len())).map(str::to_owned) else {
        let problem = MALFORMED.because("An Idempotency-Key has 1 to 200 visible characters.");
        return ApiError::from(problem).into_response();
    };
    let (app, routes) = (Arc::clone(app), routes.clone());
    let answered = async move {
        let (head, body) = request.into_parts();
        let body = whole(Request::from_parts(head.clone(), body)).await?;
        Keyed { app, routes, caller, key, head, body }.answer(next).await
    };
    match outlasting(answered).await {
        Ok(response) => response,
        Err(error) => error.into_response(),
    }
}

impl Keyed {
    async fn answer(&self, next: Next) -> Result<Response, ApiError> {
        match self.known().await {
            Ok(Known::Fresh(reservation)) => self.run(Arc::new(reservation), next).await,
            Ok(known) => self.again(known).await,
            // Nothing is remembered for a credential that does not work. Whether one is needed is the route's to say.
            Err(Error::Refused(Refusal::Unauthenticated)) => Ok(next.run(self.request()).await),
            Err(error) => Err(error.into()),
        }
    }

    fn request(&self) -> Request {
        Request::from_parts(self.head.clone(), Body::from(self.body.clone()))
    }

    async fn known(&self) -> Result<Known, Error> {
        let address = self.head.uri.path_and_query().map_or("", |address| address.as_str());
        look_up(&self.app, &self.caller, &self.key, &[address.as_bytes(), &self.body]).await
    }

    /// Carries the request out. Where another with the same key was faster, its answer is given.
    async fn run(&self, reservation: Arc<Reservation>, next: Next) -> Result<Response, ApiError> {
        let mut request = self.request();
        request.extensions_mut().insert(Arc::clone(&reservation));
        let (head, body) = next.run(request).await.into_parts();
        // What the handlers of a POST answer is at hand, so that reading it does not fail.
        let body = to_bytes(body, usize::MAX).await.unwrap_or_default();
        if !head.status.is_success() && reservation.is_open() {
            let known = self.known().await?;
            if !matches!(known, Known::Fresh(_)) {
                return self.again(known).await;
            }
        }
        if let Some(reply) = worth_remembering(&head, &body)
            && let Err(error) = remember(&self.app, &self.caller, &reservation, &reply).await
        {
            tracing::debug!(%error, "the answer to an idempotency key was not remembered");
        }
        Ok(Response::from_parts(head, Body::from(body)))
    }

    /// Answers what was done before.
    async fn again(&self, known: Known) -> Result<Response, ApiError> {
        let done = match known {
            Known::Done(done) => done,
            Known::Other => return Err(KEY_REUSED.because("Choose a new key for a new request.").into()),
            Known::Fresh(_) => return Err(IN_PROGRESS.because("Send the request again.").into()),
        };
        if let Some(place) = Place::of(self.head.uri.path()) {
            done.admit(&self.app, &self.caller, &place.org, place.project.as_ref()).await?;
        }
        match done.reply {
            Some(reply) => self.replayed(reply).await,
            None => self.made(done).await,
        }
    }

    async fn replayed(&self, reply: Remembered) -> Result<Response, ApiError> {
        let status = StatusCode::from_u16(reply.status).unwrap_or(StatusCode::OK);
        let read = match &reply.read_at {
            Some(address) => Some(self.read(address, status).await?),
            None => None,
        };
        let mut response = match read {
            Some(now) if now.status() != status => return Ok(now),
            Some(now) if reply.body.is_empty() => now,
            _ => (status, Body::from(reply.body)).into_response(),
        };
        let media_type = (header::CONTENT_TYPE, reply.media_type);
        let location = reply.location.map(|location| (header::LOCATION, location));
        for (name, value) in location.into_iter().chain([media_type]) {
            if let Ok(value) = HeaderValue::try_from(&value)
                && !value.is_empty()
            {
                response.headers_mut().insert(name, value);
            }
        }
        Ok(marked(response))
    }

    /// Answers for a request whose answer was lost, by what it made.
    async fn made(&self, done: Done) -> Result<Response, ApiError> {
        const LOST: &str = "This request was carried out, but its answer was lost. Read what it changed instead of \
                            sending it again; a secret that it made has to be made anew.";
        let org = Place::of(self.head.uri.path()).map(|place| place.org);
        let found = done.made.and_then(|made| Some((address_of(org.as_ref(), &made.what)?, made.created)));
        let unknown = if done.just_now {
            IN_PROGRESS.because("Ask again in a moment.")
        } else {
            CONFLICT.because(LOST)
        };
        let Some((address, created)) = found else { return Err(unknown.into()) };
        if created {
            let mut response = self.read(&address, StatusCode::CREATED).await?;
            if let Ok(location) = HeaderValue::try_from(&address) {
                response.headers_mut().insert(header::LOCATION, location);
            }
            return Ok(marked(response));
        }
        // What is done to something answers what reading it answers.
        let of_it = self.head.uri.path().strip_prefix(&address).is_some_and(|rest| rest.starts_with('/'));
        if !of_it {
            return Err(unknown.into());
        }
        Ok(marked(self.read(&address, StatusCode::OK).await?))
    }

    /// What an address answers the caller now, under another status where it answers at all. An item that moved to
    /// another project is read there.
    async fn read(&self, address: &str, status: StatusCode) -> Result<Response, ApiError> {
        let mut address = address.to_owned();
        for _ in 0..MOVES {
            let mut request = Request::get(&address).body(Body::empty()).map_err(|error| {
                tracing::error!(%error, address, "an address of ours is none");
                ApiError::from(CONFLICT.problem())
            })?;
            let from =
                |name: &HeaderName| self.head.headers.get(name).cloned().map(|value| (name.clone(), value));
            *request.headers_mut() = WHO.iter().filter_map(from).collect::<HeaderMap>();
            let asked = request.uri().clone();
            let Ok(mut response) = self.routes.clone().oneshot(request).await;
            if let Some(moved) = new_address(&response, &asked) {
                address = moved;
                continue;
            }
            if response.status().is_client_error() {
                return Err(CONFLICT.because(GONE).into());
            }
            if response.status().is_success() {
                *response.status_mut() = status;
            }
            return Ok(response);
        }
        Err(IN_PROGRESS.because("The item is being moved. Ask again in a moment.").into())
    }
}

fn worth_remembering(head: &response::Parts, body: &Bytes) -> Option<Remembered> {
    let definite = head.status.is_success() || head.status == StatusCode::CONFLICT;
    // What nobody may keep is not kept here either, nor is a session: such a request is carried out again.
    let kept = head.headers.get(header::CACHE_CONTROL).is_none_or(|control| control != "no-store")
        && !head.headers.contains_key(header::SET_COOKIE);
    if !definite || !kept {
        return None;
    }
    let text = |name: HeaderName| Some(head.headers.get(name)?.to_str().unwrap_or_default().to_owned());
    let location = text(header::LOCATION);
    let read_at = head.extensions.get::<ReadAgain>().and(location.clone());
    let body = match (body.len() <= KEPT, &read_at) {
        (true, _) => String::from_utf8(body.to_vec()).ok()?,
        (false, Some(_)) => String::new(),
        (false, None) => return None,
    };
    Some(Remembered {
        status: head.status.as_u16(),
        media_type: text(header::CONTENT_TYPE).unwrap_or_default(),
        location,
        body,
        read_at,
    })
}

fn marked(mut response: Response) -> Response {
    if response.status() != StatusCode::NOT_FOUND {
        response.headers_mut().insert("idempotent-replayed", HeaderValue::from_static("true"));
    }
    response
}
