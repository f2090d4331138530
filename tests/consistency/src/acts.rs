//! What callers do, by area. Each act is one or a few requests that may fail as they like.

mod items;
pub(crate) mod notifications;
mod people;
mod projects;
mod runs;
mod talk;

use crate::caller::Caller;

/// Does anything, more often what is done more often.
pub(crate) async fn anything(caller: &mut Caller) {
    match caller.below(100) {
        0..40 => items::anything(caller).await,
        40..60 => talk::anything(caller).await,
        60..75 => projects::anything(caller).await,
        75..90 => runs::anything(caller).await,
        _ => people::anything(caller).await,
    };
}
