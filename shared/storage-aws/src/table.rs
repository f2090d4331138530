//! The table port on DynamoDB: reads and increments. Commits are in `commit`.
//!
//! All reads are strongly consistent: one unit per 4 KB, whether read by key or by query.

use std::collections::{HashMap, HashSet};
use std::time::Duration;

use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::types::{AttributeValue, KeysAndAttributes, ReturnValue};
use svc_storage::{
    Commit, Condition, Cursor, Key, Limits, Op, OpKind, Order, Query, Range, Row, RowPage, StorageError,
    Table,
};

use crate::error::unavailable;
use crate::expression::Expression;
use crate::item::{self, COUNTER, Item};

/// How often a batch is asked for again without any row coming back, and how long is waited the first time.
const EMPTY_BATCHES: u32 = 6;
const BATCH_PAUSE: Duration = Duration::from_millis(20);

/// The table port on a DynamoDB table. [`AwsStore::table`](crate::AwsStore::table) makes one.
pub struct DynamoTable {
    pub(crate) client: Client,
    pub(crate) name: String,
}

#[async_trait::async_trait]
impl Table for DynamoTable {
    async fn get(&self, key: &Key) -> Result<Option<Row>, StorageError> {
        let answer = self
            .client
            .get_item()
            .table_name(&self.name)
            .set_key(Some(item::key(key)))
            .consistent_read(true)
            .send()
            .await
            .map_err(unavailable)?;
        answer.item.map(item::row).transpose()
    }

    async fn get_many(&self, keys: &[Key]) -> Result<Vec<Option<Row>>, StorageError> {
        if keys.len() > Limits::KEYS {
            return Err(StorageError::TooLarge { what: "keys", size: keys.len(), limit: Limits::KEYS });
        }
        let mut rows = HashMap::with_capacity(keys.len());
        // A batch must not name a row twice.
        let distinct: HashSet<&Key> = keys.iter().collect();
        let mut asked: Vec<Item> = distinct.into_iter().map(item::key).collect();
        let mut empty = 0;
        while !asked.is_empty() {
            let (found, left) = self.batch(asked).await?;
            if found.is_empty() && !left.is_empty() {
                if empty == EMPTY_BATCHES {
                    return Err(StorageError::Unavailable("the table gives no more rows".into()));
                }
                tokio::time::sleep(BATCH_PAUSE * 2_u32.pow(empty)).await;
                empty += 1;
            }
            for row in found.into_iter().map(item::row) {
                let row = row?;
                rows.insert(row.key.clone(), row);
            }
            asked = left;
        }
        Ok(keys.iter().map(|key| rows.get(key).cloned()).collect())
    }

    async fn query(&self, query: &Query) -> Result<RowPage, StorageError> {
        let Some((condition, values)) = key_condition(query) else { return Ok(RowPage::default()) };
        let start = query.cursor.as_ref().map(|Cursor(sk)| item::key(&Key::new(&query.pk, sk)));
        let answer = self
            .client
            .query()
            .table_name(&self.name)
            .key_condition_expression(condition)
            .set_expression_attribute_values(Some(values))
            .scan_index_forward(query.order == Order::Ascending)
            .limit(i32::try_from(query.limit.max(1)).unwrap_or(i32::MAX))
            .set_exclusive_start_key(start)
            .consistent_read(true)
            .send()
            .await
            .map_err(unavailable)?;
        let last = answer.last_evaluated_key.filter(|last| !last.is_empty());
        let cursor = last.map(|mut last| Ok(Cursor(item::name(&mut last)?.sk))).transpose()?;
        let rows = answer.items.unwrap_or_default().into_iter().map(item::row).collect::<Result<_, _>>()?;
        Ok(RowPage { rows, cursor })
    }

    async fn scan(&self, limit: usize, after: Option<&Cursor>) -> Result<RowPage, StorageError> {
        let start = after.map(Cursor::row).transpose()?.as_ref().map(item::key);
        let answer = self
            .client
            .scan()
            .table_name(&self.name)
            .limit(i32::try_from(limit.max(1)).unwrap_or(i32::MAX))
            .set_exclusive_start_key(start)
            .consistent_read(true)
            .send()
            .await
            .map_err(unavailable)?;
        let last = answer.last_evaluated_key.filter(|last| !last.is_empty());
        let cursor = last.map(|mut last| item::name(&mut last)).transpose()?.as_ref().map(Cursor::behind);
        let rows = answer.items.unwrap_or_default().into_iter().map(item::row).collect::<Result<_, _>>()?;
        Ok(RowPage { rows, cursor })
    }

    async fn commit(&self, commit: &Commit) -> Result<(), StorageError> {
        self.do_commit(commit).await
    }

    async fn increment(
        &self,
        key: &Key,
        field: &str,
        amount: i64,
        ttl: Option<i64>,
    ) -> Result<i64, StorageError> {
        key.check_limits()?;
        let kind = OpKind::Add { field: field.to_owned(), amount };
        let mut expression = Expression::of(&Op { key: key.clone(), condition: Condition::None, kind });
        if let Some(ttl) = ttl {
            expression.set("ttl", item::number(ttl));
        }
        let answer = self
            .update(key, &expression)
            .return_values(ReturnValue::UpdatedNew)
            .send()
            .await
            .map_err(|error| self.update_error(error))?;
        answer
            .attributes()
            .and_then(|item| item.get(&format!("{COUNTER}{field}"))?.as_n().ok()?.parse().ok())
            .ok_or_else(|| StorageError::Corrupt(format!("{}/{}: the counter is lost", key.pk, key.sk)))
    }
}

impl DynamoTable {
    /// Rows, and the keys for which the answer had no more room. The rest came back empty.
    async fn batch(&self, keys: Vec<Item>) -> Result<(Vec<Item>, Vec<Item>), StorageError> {
        let keys = KeysAndAttributes::builder()
            .set_keys(Some(keys))
            .consistent_read(true)
            .build()
            .map_err(unavailable)?;
        let answer =
            self.client.batch_get_item().request_items(&self.name, keys).send().await.map_err(unavailable)?;
        let found = answer.responses.and_then(|mut tables| tables.remove(&self.name));
        let left = answer.unprocessed_keys.and_then(|mut tables| tables.remove(&self.name));
        Ok((found.unwrap_or_default(), left.map(|left| left.keys).unwrap_or_default()))
    }
}

/// The key condition of a query; nothing when no key can meet it, which DynamoDB refuses to be asked.
fn key_condition(query: &Query) -> Option<(&'static str, HashMap<String, AttributeValue>)> {
    let (condition, bounds) = match &query.range {
        Range::All => ("pk = :pk", vec![]),
        // Nor does it take empty texts.
        Range::Prefix(prefix) if prefix.is_empty() => ("pk = :pk", vec![]),
        Range::Prefix(prefix) => ("pk = :pk AND begins_with(sk, :a)", vec![(":a", prefix)]),
        Range::Between(first, last) if first > last || last.is_empty() => return None,
        Range::Between(first, last) if first.is_empty() => ("pk = :pk AND sk <= :a", vec![(":a", last)]),
        Range::Between(first, last) => {
            ("pk = :pk AND sk BETWEEN :a AND :b", vec![(":a", first), (":b", last)])
        }
        Range::After(last) if last.is_empty() => ("pk = :pk", vec![]),
        Range::After(last) => ("pk = :pk AND sk > :a", vec![(":a", last)]),
    };
    let bounds = bounds.into_iter().chain([(":pk", &query.pk)]);
    let values = bounds.map(|(name, value)| (name.to_owned(), AttributeValue::S(value.clone())));
    Some((condition, values.collect()))
}
