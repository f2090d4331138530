//! The rows that a use case loads on its way in: keys, and what was found under them in the same shape. The compiler holds
//! each row to the key that asked for it, so no use case counts rows.

use std::vec;

use svc_storage::{Key, KeyOf, Limits, Row, RowOf};

use crate::App;
use crate::error::Result;

/// The answers of a read of many keys, in the order of the keys.
pub(crate) type Found = vec::IntoIter<Option<Row>>;

/// Loads rows: up to [`Limits::KEYS`] in one round trip.
///
/// # Errors
/// Those of storage.
pub(crate) async fn load<W: Wanted>(app: &App, wanted: W) -> Result<W::Rows> {
    let mut keys = Vec::new();
    wanted.name(&mut keys);
    let mut rows = Vec::with_capacity(keys.len());
    for keys in keys.chunks(Limits::KEYS) {
        rows.extend(app.table.get_many(keys).await?);
    }
    Ok(wanted.take(&mut rows.into_iter()))
}

/// Keys in some shape: one, one that may not be asked for, several, and tuples of these.
pub trait Wanted {
    /// The rows in the same shape. A row is `None` where it does not exist or was not asked for.
    type Rows;

    /// Adds its keys, in the order in which [`Wanted::take`] takes their rows.
    fn name(&self, keys: &mut Vec<Key>);

    /// Takes its rows from what was found.
    fn take(&self, found: &mut Found) -> Self::Rows;
}

impl Wanted for () {
    type Rows = ();

    fn name(&self, _: &mut Vec<Key>) {}

    fn take(&self, _: &mut Found) {}
}

impl Wanted for Key {
    type Rows = Option<Row>;

    fn name(&self, keys: &mut Vec<Key>) {
        keys.push(self.clone());
    }

    fn take(&self, found: &mut Found) -> Option<Row> {
        found.next().flatten()
    }
}

impl<T> Wanted for KeyOf<T> {
    type Rows = Option<RowOf<T>>;

    fn name(&self, keys: &mut Vec<Key>) {
        keys.push(Key::clone(self));
    }

    fn take(&self, found: &mut Found) -> Self::Rows {
        Some(RowOf::found(self, found.next().flatten()?))
    }
}

impl<R, W: Wanted<Rows = Option<R>>> Wanted for Option<W> {
    type Rows = Option<R>;

    fn name(&self, keys: &mut Vec<Key>) {
        self.iter().for_each(|key| key.name(keys));
    }

    fn take(&self, found: &mut Found) -> Option<R> {
        self.as_ref().and_then(|key| key.take(found))
    }
}

impl<W: Wanted> Wanted for Vec<W> {
    type Rows = Vec<W::Rows>;

    fn name(&self, keys: &mut Vec<Key>) {
        self.iter().for_each(|key| key.name(keys));
    }

    fn take(&self, found: &mut Found) -> Self::Rows {
        self.iter().map(|key| key.take(found)).collect()
    }
}

impl<W: Wanted, const N: usize> Wanted for [W; N] {
    type Rows = [W::Rows; N];

    fn name(&self, keys: &mut Vec<Key>) {
        self.iter().for_each(|key| key.name(keys));
    }

    fn take(&self, found: &mut Found) -> Self::Rows {
        self.each_ref().map(|key| key.take(found))
    }
}

macro_rules! tuples {
    ($(($($part:ident)+))+) => {$(
        impl<$($part: Wanted),+> Wanted for ($($part,)+) {
            type Rows = ($($part::Rows,)+);

            fn name(&self, keys: &mut Vec<Key>) {
                #[expect(non_snake_case, reason = "a part is called as its type")]
                let ($($part,)+) = self;
                $($part.name(keys);)+
            }

            fn take(&self, found: &mut Found) -> Self::Rows {
                #[expect(non_snake_case, reason = "a part is called as its type")]
                let ($($part,)+) = self;
                ($($part.take(found),)+)
            }
        }
    )+};
}

tuples! { (A B) (A B C) (A B C D) (A B C D E) (A B C D E F) }

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    fn key(name: &str) -> Key {
        Key::new("ORG#1", name)
    }

    fn row(key: Key) -> Row {
        Row { key, version: 1, doc: "null".into(), counters: BTreeMap::new(), ttl: None }
    }

    #[test]
    fn rows_come_in_the_shape_of_their_keys() {
        let wanted = (key("A"), None::<Key>, [key("B"), key("C")], (vec![key("D")], Some(key("E"))));
        let mut keys = Vec::new();
        wanted.name(&mut keys);
        assert_eq!(keys.iter().map(|key| &*key.sk).collect::<String>(), "ABCDE");
        let found: Vec<_> = keys.into_iter().map(|key| (key.sk != "C").then(|| row(key))).collect();
        let mut found = found.into_iter();
        let (a, unasked, [b, missing], (list, last)) = wanted.take(&mut found);
        assert_eq!(found.len(), 0, "all of them are taken");
        assert_eq!((unasked, missing), (None, None));
        let there = [a, b, list.into_iter().next().flatten(), last];
        assert_eq!(there.map(|row| row.unwrap().key.sk), ["A", "B", "D", "E"]);
    }
}
