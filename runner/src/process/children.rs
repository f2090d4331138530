//! The processes that this crate started and awaits, told from the orphans that are left to it.

use std::sync::{Mutex, MutexGuard};

use crate::locking::lock;

/// Ids of the processes that this crate started and waits for. Held while starting one, so that neither a sweep nor
/// the reaper ever takes it for a stray.
static OWN: Mutex<Vec<i32>> = Mutex::new(Vec::new());

/// The processes that this crate started. None can be started while this is held.
pub(super) fn own() -> MutexGuard<'static, Vec<i32>> {
    lock(&OWN)
}

/// A child of this crate as long as it is waited for.
#[derive(Debug)]
pub struct Registered(i32);

impl Drop for Registered {
    fn drop(&mut self) {
        let mut known = own();
        if let Some(at) = known.iter().position(|pid| *pid == self.0) {
            known.swap_remove(at);
        }
    }
}

/// Starts a child, known as this crate's own before anyone can look.
pub fn register<T>(
    start: impl FnOnce() -> std::io::Result<(T, Option<u32>)>,
) -> std::io::Result<(T, Registered)> {
    let mut known = own();
    let (child, pid) = start()?;
    let pid = pid.and_then(|pid| i32::try_from(pid).ok()).unwrap_or(0);
    known.push(pid);
    Ok((child, Registered(pid)))
}
