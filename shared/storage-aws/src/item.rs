//! Rows as DynamoDB items. The attributes of an item:
//!
//! | name | type | meaning |
//! |---|---|---|
//! | `pk`, `sk` | S | the key |
//! | `v` | N | version |
//! | `doc` | S | document; missing in a row that only counts |
//! | `ttl` | N | second of the Unix epoch; DynamoDB removes the item some time after |
//! | `c_<field>` | N | counters |
//! | `t0` … `t3` | B | the last commits of this row alone that had a token, the newest first (`commit`) |

use std::collections::{BTreeMap, HashMap};

use aws_sdk_dynamodb::types::AttributeValue;
use svc_storage::{Key, Row, StorageError};

pub(crate) type Item = HashMap<String, AttributeValue>;

/// What a counter's attribute begins with.
pub(crate) const COUNTER: &str = "c_";

/// Where the tokens of a row's own commits are, the newest first.
pub(crate) const TOKENS: [&str; 4] = ["t0", "t1", "t2", "t3"];

/// The key's attributes.
pub(crate) fn key(key: &Key) -> Item {
    HashMap::from([
        ("pk".to_owned(), AttributeValue::S(key.pk.clone())),
        ("sk".to_owned(), AttributeValue::S(key.sk.clone())),
    ])
}

/// A number as DynamoDB takes it.
pub(crate) fn number(value: impl ToString) -> AttributeValue {
    AttributeValue::N(value.to_string())
}

/// The row of an item.
pub(crate) fn row(mut item: Item) -> Result<Row, StorageError> {
    let key = name(&mut item)?;
    let broken = |what: &str| StorageError::Corrupt(format!("{}/{}: {what} is broken", key.pk, key.sk));
    let integer = |value: &AttributeValue| value.as_n().ok().and_then(|text| text.parse::<i64>().ok());

    let version = item.get("v").and_then(integer).ok_or_else(|| broken("its version"))?;
    let ttl = match item.get("ttl") {
        Some(value) => Some(integer(value).ok_or_else(|| broken("its ttl"))?),
        None => None,
    };
    let mut counters = BTreeMap::new();
    for (name, value) in &item {
        if let Some(field) = name.strip_prefix(COUNTER) {
            counters.insert(field.to_owned(), integer(value).ok_or_else(|| broken("a counter"))?);
        }
    }
    let doc = match item.remove("doc") {
        Some(AttributeValue::S(doc)) => doc.into(),
        Some(_) => return Err(broken("its document")),
        None => "null".into(),
    };
    Ok(Row { version: version.unsigned_abs(), doc, counters, ttl, key })
}

/// Takes the key out of an item.
pub(crate) fn name(item: &mut Item) -> Result<Key, StorageError> {
    Ok(Key { pk: text(item, "pk")?, sk: text(item, "sk")? })
}

fn text(item: &mut Item, name: &str) -> Result<String, StorageError> {
    match item.remove(name) {
        Some(AttributeValue::S(text)) => Ok(text),
        _ => Err(StorageError::Corrupt(format!("an item has no {name}"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_item_that_no_commit_wrote_is_corrupt() {
        let whole = || {
            let mut item = key(&Key::new("p", "s"));
            item.insert("v".into(), number(3));
            item
        };
        let found = row(whole()).unwrap();
        assert_eq!((found.version, &*found.doc, found.ttl), (3, "null", None));
        for (name, value) in [
            ("v", AttributeValue::S("3".into())),
            ("doc", number(1)),
            ("ttl", AttributeValue::Bool(true)),
            ("c_n", number("1.5")),
            ("pk", number(1)),
        ] {
            let mut item = whole();
            item.insert(name.into(), value);
            assert!(matches!(row(item), Err(StorageError::Corrupt(_))), "{name}");
        }
    }
}
