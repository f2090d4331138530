//! Shared values that exist as long as somebody holds them.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Arc, Weak};

use parking_lot::Mutex;

/// A value by key, shared by all who hold it and gone after the last of them.
pub(crate) struct WeakMap<K, V>(Mutex<HashMap<K, Weak<V>>>);

impl<K, V> Default for WeakMap<K, V> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<K: Eq + Hash, V> WeakMap<K, V> {
    /// The value that others hold, or a new one.
    pub(crate) fn get(&self, key: K, new: impl FnOnce() -> V) -> Arc<V> {
        let mut all = self.0.lock();
        if let Some(held) = all.get(&key).and_then(Weak::upgrade) {
            return held;
        }
        all.retain(|_, held| held.strong_count() > 0);
        let new = Arc::new(new());
        all.insert(key, Arc::downgrade(&new));
        new
    }
}

#[cfg(test)]
mod tests {
    use super::WeakMap;

    #[test]
    fn a_value_is_shared_while_it_is_held_and_forgotten_after() {
        let all = WeakMap::default();
        let one = all.get("a", || 1);
        assert_eq!(*all.get("a", || 2), 1);
        assert_eq!(*all.get("b", || 3), 3);
        drop(one);
        assert_eq!(*all.get("a", || 4), 4);
        assert_eq!(all.0.lock().len(), 1, "what nobody holds takes no place");
    }
}
