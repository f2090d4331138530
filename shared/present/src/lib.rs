//! Between the domain and the wire, once for every door of the service: HTTP, streams, and what comes after them.
//!
//! Each area has a `view` (records as the API shows them) and, where it is asked for something, a `read` (requests
//! in the words of the use cases, with every field that is wrong). Closed sets of words are paired in [`words`].
//! Knows no address, no status code and no caller's rights; decides nothing.

mod actor;
pub mod administration;
pub mod factory;
pub mod identity;
pub mod intakes;
pub mod notifications;
pub mod render;
pub mod runner;
pub mod search;
pub mod tracker;
pub mod webhooks;
pub mod wiki;
pub mod words;

pub use render::Renderer;
