//! Commits on DynamoDB.
//!
//! The protocol:
//!
//! 1. A commit of one operation is one conditional write of that item, at half the units of a transaction:
//!    `UpdateItem`, or `DeleteItem`. A lone check is a read.
//! 2. A commit of several is one `TransactWriteItems`. A check without a condition is left out; conflicts are
//!    reported by the index that the operation has in the commit.
//! 3. A refused condition returns the item as it is, so that a conflict costs no second request.
//! 4. A transaction takes its token as `ClientRequestToken`, which DynamoDB remembers for 10 minutes. A lone
//!    update keeps its token in the item: the last four such commits of a row are remembered, whenever they
//!    were. One that finds its own token there was done already and succeeds; so a repetition is mistaken for
//!    a new commit only after four others with tokens came between, or the row was removed. A lone delete
//!    leaves no item to keep a token in, and becomes a transaction when it has one.
//! 5. Of two transactions on one item DynamoDB cancels one although no condition failed. Nothing was written,
//!    so it is tried again some times before the caller is told.
//!
//! The SDK repeats a request whose reply it did not get. Without a token, a conditional write that had
//! succeeded then reports a conflict with itself: where that matters, give a token.

use std::time::Duration;

use aws_sdk_dynamodb::error::SdkError;
use aws_sdk_dynamodb::operation::delete_item::DeleteItemError;
use aws_sdk_dynamodb::operation::transact_write_items::TransactWriteItemsError;
use aws_sdk_dynamodb::operation::update_item::UpdateItemError;
use aws_sdk_dynamodb::operation::update_item::builders::UpdateItemFluentBuilder;
use aws_sdk_dynamodb::primitives::Blob;
use aws_sdk_dynamodb::types::error::TransactionCanceledException;
use aws_sdk_dynamodb::types::{
    AttributeValue, ConditionCheck, Delete, ReturnValuesOnConditionCheckFailure as OnFailure,
    TransactWriteItem, Update,
};
use svc_storage::{Commit, Condition, Key, Op, OpKind, Row, StorageError, Table};

use crate::error::unavailable;
use crate::expression::Expression;
use crate::item::{self, Item, TOKENS};
use crate::table::DynamoTable;

/// How often a contended commit is tried, and how long is waited after the first time.
const TRIES: u32 = 5;
const PAUSE: Duration = Duration::from_millis(15);

/// Bytes of a commit's identity that are kept: as a token they may be 36 characters.
const TOKEN_BYTES: usize = 16;

impl DynamoTable {
    pub(crate) async fn do_commit(&self, commit: &Commit) -> Result<(), StorageError> {
        commit.check_limits()?;
        let token = commit.identity().map(|identity| identity[..TOKEN_BYTES].to_vec());
        let mut tries = 1;
        loop {
            let result = match commit.ops.as_slice() {
                [] => Ok(()),
                [op] => self.alone(op, token.as_deref()).await,
                ops => self.transaction(ops, token.as_deref()).await,
            };
            if tries == TRIES || !matches!(result, Err(StorageError::Contention)) {
                return result;
            }
            tokio::time::sleep(PAUSE * 2_u32.pow(tries - 1)).await;
            tries += 1;
        }
    }

    /// A commit of one operation.
    async fn alone(&self, op: &Op, token: Option<&[u8]>) -> Result<(), StorageError> {
        match (&op.kind, token) {
            (OpKind::Check, _) => self.check(op).await,
            (OpKind::Put { .. } | OpKind::Add { .. }, _) => self.put_or_add(op, token).await,
            (OpKind::Delete, None) => self.delete(op).await,
            (OpKind::Delete, Some(_)) => self.transaction(std::slice::from_ref(op), token).await,
        }
    }

    /// One read unit per 4 KB.
    async fn check(&self, op: &Op) -> Result<(), StorageError> {
        if op.condition == Condition::None {
            return Ok(());
        }
        let current = self.get(&op.key).await?;
        if holds(op.condition, current.as_ref()) {
            return Ok(());
        }
        Err(StorageError::Conflict { op: 0, current: current.map(Box::new) })
    }

    /// One write unit per KB of the item before or after, whichever is larger.
    async fn put_or_add(&self, op: &Op, token: Option<&[u8]>) -> Result<(), StorageError> {
        let mut expression = Expression::of(op);
        if let Some(token) = token {
            expression.once(token);
        }
        match self.update(&op.key, &expression).send().await {
            Ok(_) => Ok(()),
            Err(error) => {
                let current = self.refused_update(error)?;
                match (token, current) {
                    (Some(token), Some(item)) if has_token(&item, token) => Ok(()),
                    (_, current) => Err(conflict(0, current)),
                }
            }
        }
    }

    async fn delete(&self, op: &Op) -> Result<(), StorageError> {
        let expression = Expression::of(op);
        let result = self
            .client
            .delete_item()
            .table_name(&self.name)
            .set_key(Some(item::key(&op.key)))
            .set_condition_expression(expression.condition())
            .set_expression_attribute_names(expression.names())
            .set_expression_attribute_values(expression.values())
            .return_values_on_condition_check_failure(OnFailure::AllOld)
            .send()
            .await;
        match result {
            Ok(_) => Ok(()),
            Err(error) => Err(match error.as_service_error() {
                Some(DeleteItemError::ConditionalCheckFailedException(refused)) => {
                    conflict(0, refused.item.clone())
                }
                Some(DeleteItemError::TransactionConflictException(_)) => StorageError::Contention,
                _ => unavailable(error),
            }),
        }
    }

    /// An update of one item that is still to be sent.
    pub(crate) fn update(&self, key: &Key, expression: &Expression) -> UpdateItemFluentBuilder {
        self.client
            .update_item()
            .table_name(&self.name)
            .set_key(Some(item::key(key)))
            .update_expression(expression.update())
            .set_condition_expression(expression.condition())
            .set_expression_attribute_names(expression.names())
            .set_expression_attribute_values(expression.values())
            .return_values_on_condition_check_failure(OnFailure::AllOld)
    }

    /// What an update without a condition failed for.
    pub(crate) fn update_error(&self, error: SdkError<UpdateItemError>) -> StorageError {
        match self.refused_update(error) {
            Ok(current) => conflict(0, current),
            Err(error) => error,
        }
    }

    /// The item that did not meet the condition, unless the update failed for another reason.
    fn refused_update(&self, error: SdkError<UpdateItemError>) -> Result<Option<Item>, StorageError> {
        match error.as_service_error() {
            Some(UpdateItemError::ConditionalCheckFailedException(refused)) => Ok(refused.item.clone()),
            Some(UpdateItemError::TransactionConflictException(_)) => Err(StorageError::Contention),
            _ => Err(unavailable(error)),
        }
    }

    /// Two write units per KB of each item, one read unit more for each check.
    async fn transaction(&self, ops: &[Op], token: Option<&[u8]>) -> Result<(), StorageError> {
        // Where each sent operation stands in the commit.
        let mut places = Vec::with_capacity(ops.len());
        let mut items = Vec::with_capacity(ops.len());
        for (place, op) in ops.iter().enumerate() {
            if op.kind == OpKind::Check && op.condition == Condition::None {
                continue;
            }
            places.push(place);
            items.push(self.transact(op)?);
        }
        if items.is_empty() {
            return Ok(());
        }
        let result = self
            .client
            .transact_write_items()
            .set_transact_items(Some(items))
            .set_client_request_token(token.map(hex::encode))
            .send()
            .await;
        match result {
            Ok(_) => Ok(()),
            Err(error) => Err(match error.as_service_error() {
                Some(TransactWriteItemsError::TransactionCanceledException(canceled)) => {
                    reason(canceled, &places).unwrap_or_else(|| unavailable(error))
                }
                Some(TransactWriteItemsError::TransactionInProgressException(_)) => StorageError::Contention,
                _ => unavailable(error),
            }),
        }
    }

    fn transact(&self, op: &Op) -> Result<TransactWriteItem, StorageError> {
        let expression = Expression::of(op);
        let (key, condition) = (Some(item::key(&op.key)), expression.condition());
        let (names, values) = (expression.names(), expression.values());
        let item = TransactWriteItem::builder();
        let item = match &op.kind {
            OpKind::Check => item.condition_check(
                ConditionCheck::builder()
                    .table_name(&self.name)
                    .set_key(key)
                    .set_condition_expression(condition)
                    .set_expression_attribute_names(names)
                    .set_expression_attribute_values(values)
                    .return_values_on_condition_check_failure(OnFailure::AllOld)
                    .build()
                    .map_err(unavailable)?,
            ),
            OpKind::Delete => item.delete(
                Delete::builder()
                    .table_name(&self.name)
                    .set_key(key)
                    .set_condition_expression(condition)
                    .set_expression_attribute_names(names)
                    .set_expression_attribute_values(values)
                    .return_values_on_condition_check_failure(OnFailure::AllOld)
                    .build()
                    .map_err(unavailable)?,
            ),
            OpKind::Put { .. } | OpKind::Add { .. } => item.update(
                Update::builder()
                    .table_name(&self.name)
                    .set_key(key)
                    .update_expression(expression.update())
                    .set_condition_expression(condition)
                    .set_expression_attribute_names(names)
                    .set_expression_attribute_values(values)
                    .return_values_on_condition_check_failure(OnFailure::AllOld)
                    .build()
                    .map_err(unavailable)?,
            ),
        };
        Ok(item.build())
    }
}

/// Why a transaction was canceled; nothing when it was for no reason that a caller can act on.
fn reason(canceled: &TransactionCanceledException, places: &[usize]) -> Option<StorageError> {
    let reasons = canceled.cancellation_reasons();
    // A condition that failed is certain, whatever else stood in the way of other operations.
    for (reason, place) in reasons.iter().zip(places) {
        if reason.code() == Some("ConditionalCheckFailed") {
            return Some(conflict(*place, reason.item.clone()));
        }
    }
    let contended = reasons.iter().any(|reason| reason.code() == Some("TransactionConflict"));
    contended.then_some(StorageError::Contention)
}

fn conflict(op: usize, current: Option<Item>) -> StorageError {
    match current.filter(|item| !item.is_empty()).map(item::row).transpose() {
        Ok(current) => StorageError::Conflict { op, current: current.map(Box::new) },
        Err(corrupt) => corrupt,
    }
}

fn has_token(item: &Item, token: &[u8]) -> bool {
    let token = AttributeValue::B(Blob::new(token));
    TOKENS.iter().any(|name| item.get(*name) == Some(&token))
}

fn holds(condition: Condition, row: Option<&Row>) -> bool {
    match condition {
        Condition::Absent => row.is_none(),
        Condition::Present => row.is_some(),
        Condition::Version(version) => row.is_some_and(|row| row.version == version),
        Condition::None => true,
    }
}

#[cfg(test)]
mod tests {
    use aws_sdk_dynamodb::types::CancellationReason;

    use super::*;

    fn canceled(codes: &[&str]) -> TransactionCanceledException {
        let reasons = codes.iter().map(|code| CancellationReason::builder().code(*code).build());
        TransactionCanceledException::builder().set_cancellation_reasons(Some(reasons.collect())).build()
    }

    /// No local engine ever reports contention, so that it is said here what it would mean.
    #[test]
    fn a_canceled_transaction_is_a_conflict_before_it_is_contention() {
        let places = [0, 2, 5];
        let meaning = |codes: &[&str]| reason(&canceled(codes), &places);
        assert!(matches!(meaning(&["None", "TransactionConflict", "None"]), Some(StorageError::Contention)));
        assert!(matches!(
            meaning(&["TransactionConflict", "None", "ConditionalCheckFailed"]),
            Some(StorageError::Conflict { op: 5, current: None })
        ));
        assert!(meaning(&["None", "ThrottlingError", "None"]).is_none());
    }
}
