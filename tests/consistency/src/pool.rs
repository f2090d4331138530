//! What callers know of that was made so far; some of it is gone again.

use std::collections::HashMap;

use parking_lot::Mutex;
use rand::RngExt as _;
use rand::rngs::StdRng;
use serde_json::Value;

/// Things of a kind that are remembered; of more, older ones are forgotten.
const MOST: usize = 60;

/// Things by kind.
#[derive(Default)]
pub(crate) struct Pool(Mutex<HashMap<&'static str, Vec<Value>>>);

impl Pool {
    /// Remembers a thing.
    pub(crate) fn put(&self, kind: &'static str, thing: Value) {
        let mut kinds = self.0.lock();
        let things = kinds.entry(kind).or_default();
        if things.len() == MOST {
            things.remove(0);
        }
        things.push(thing);
    }

    /// Any thing of a kind.
    pub(crate) fn any(&self, kind: &str, random: &mut StdRng) -> Option<Value> {
        let kinds = self.0.lock();
        let things = kinds.get(kind).filter(|things| !things.is_empty())?;
        things.get(random.random_range(0..things.len())).cloned()
    }

    /// Any text of a kind.
    pub(crate) fn text(&self, kind: &str, random: &mut StdRng) -> Option<String> {
        self.any(kind, random)?.as_str().map(str::to_owned)
    }

    /// Takes any thing of a kind.
    pub(crate) fn take(&self, kind: &str, random: &mut StdRng) -> Option<Value> {
        let mut kinds = self.0.lock();
        let things = kinds.get_mut(kind).filter(|things| !things.is_empty())?;
        let place = random.random_range(0..things.len());
        Some(things.swap_remove(place))
    }
}
