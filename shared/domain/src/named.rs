//! Records that one row holds together: each has an id, and a name that no other has, whatever its case.

use std::str::FromStr;

use crate::label::folded;
use crate::refusal::Refusal;

/// One of them.
pub(crate) trait Named {
    /// What it is known by when its name changes.
    type Id: FromStr + PartialEq;

    fn id(&self) -> Self::Id;

    fn name(&self) -> &str;
}

/// The one of an id, or of a name whatever its case.
pub(crate) fn find<'a, T: Named>(all: &'a [T], id_or_name: &str) -> Option<&'a T> {
    let id: Option<T::Id> = id_or_name.parse().ok();
    let name = folded(id_or_name);
    all.iter().find(|known| id == Some(known.id()) || folded(known.name()) == name)
}

/// Adds one, or puts it in the place of that with its id.
///
/// # Errors
/// [`Refusal::AlreadyExists`], in the words of `taken`, for a name that another has; [`Refusal::Invalid`] with what `full`
/// says when there are as many as there may be.
pub(crate) fn put<T: Named>(
    all: &mut Vec<T>,
    one: T,
    taken: &'static str,
    most: usize,
    full: impl FnOnce() -> String,
) -> Result<(), Refusal> {
    let name = folded(one.name());
    if all.iter().any(|known| known.id() != one.id() && folded(known.name()) == name) {
        return Err(Refusal::AlreadyExists(taken));
    }
    let room = all.len() < most;
    match all.iter_mut().find(|known| known.id() == one.id()) {
        Some(known) => *known = one,
        None if room => all.push(one),
        None => return Err(Refusal::invalid("name", full())),
    }
    Ok(())
}
