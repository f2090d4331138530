//! Cases of the table port.

mod commits;
mod conditions;
mod limits;
mod model;
mod paging;
mod races;
mod reads;
mod tokens;

use std::sync::Arc;

use svc_storage::{Commit, Condition, Key, Op, OpKind, Row, StorageError, Table};

pub use model::matches_the_model;

/// Every case for one handle.
pub async fn alone(table: &dyn Table) {
    conditions::every_condition_on_every_state_for_every_kind(table).await;
    commits::a_refusal_names_the_first_operation_and_its_row(table).await;
    commits::all_or_nothing(table).await;
    commits::a_put_leaves_counters_and_sets_the_ttl(table).await;
    commits::a_counter_counts_beside_the_document(table).await;
    commits::an_increment_may_set_the_ttl(table).await;
    commits::a_row_made_again_begins_at_version_1(table).await;
    commits::a_row_that_moves_goes_on_at_its_version(table).await;
    commits::an_empty_commit_does_nothing(table).await;
    tokens::a_repeated_commit_happens_once(table).await;
    tokens::a_repeated_commit_of_one_operation_happens_once(table).await;
    tokens::a_refused_commit_may_be_tried_again(table).await;
    tokens::a_token_with_other_operations_is_another_commit(table).await;
    reads::get_many_keeps_the_order_and_shows_what_is_missing(table).await;
    reads::get_many_reads_large_rows(table).await;
    reads::ranges_in_both_orders(table).await;
    reads::sort_keys_are_ordered_by_their_bytes(table).await;
    reads::documents_come_back_as_they_were_written(table).await;
    paging::a_limit_ends_a_page(table).await;
    paging::a_page_ends_at_a_megabyte(table).await;
    paging::a_cursor_survives_changes_around_it(table).await;
    paging::a_scan_shows_every_row_once(table).await;
    limits::each_limit_is_refused(table).await;
    limits::the_largest_commit_is_accepted(table).await;
}

/// Every case in which several handles of one store meet.
pub async fn together(handles: &[Arc<dyn Table>]) {
    races::one_creator_wins(handles).await;
    races::one_successor_of_a_version_wins(handles).await;
    races::one_of_crossing_commits_wins_whole(handles).await;
    races::no_increment_is_lost(handles).await;
    races::a_commit_is_visible_to_every_handle_when_it_returns(handles).await;
    races::a_token_counts_across_handles(handles).await;
}

/// A put of this JSON text.
fn put(key: &Key, condition: Condition, doc: &str) -> Op {
    Op { key: key.clone(), condition, kind: OpKind::Put { step: 1, doc: doc.to_owned(), ttl: None } }
}

/// An addition under a condition.
fn add(key: &Key, condition: Condition, field: &str, amount: i64) -> Op {
    Op { key: key.clone(), condition, kind: OpKind::Add { field: field.to_owned(), amount } }
}

async fn commit(table: &dyn Table, ops: Vec<Op>) -> Result<(), StorageError> {
    table.commit(&Commit { ops, token: None }).await
}

async fn commit_once(table: &dyn Table, ops: &[Op], token: &str) -> Result<(), StorageError> {
    table.commit(&Commit { ops: ops.to_vec(), token: Some(token.to_owned()) }).await
}

/// A row that must be there.
async fn row(table: &dyn Table, key: &Key) -> Row {
    table.get(key).await.unwrap().unwrap_or_else(|| panic!("{key:?} is missing"))
}

/// The operation and the row that a commit was refused for.
fn conflict(result: Result<(), StorageError>) -> (usize, Option<Row>) {
    match result {
        Err(StorageError::Conflict { op, current }) => (op, current.map(|row| *row)),
        other => panic!("a conflict was due, not {other:?}"),
    }
}

/// What was too large.
fn too_large<T: std::fmt::Debug>(result: Result<T, StorageError>) -> &'static str {
    match result {
        Err(StorageError::TooLarge { what, size, limit }) => {
            assert!(size > limit, "{what}: {size} is within {limit}");
            what
        }
        other => panic!("a refusal for its size was due, not {other:?}"),
    }
}
