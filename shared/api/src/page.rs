//! One page of a list (specification section 2.1).

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};

/// One page of a list. There are more pages while `totalCount` is greater than the number of entries read.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "{T}Page")]
pub struct Page<T> {
    /// One-based number of this page.
    pub page: u32,
    /// Entries per page, after clamping to the endpoint's maximum.
    pub page_size: u32,
    /// Entries on all pages.
    pub total_count: u64,
    /// The entries of this page.
    pub items: Vec<T>,
}

impl<T> Page<T> {
    /// The page with each entry made into another.
    pub fn map<U>(self, made: impl FnMut(T) -> U) -> Page<U> {
        let Self { page, page_size, total_count, items } = self;
        Page { page, page_size, total_count, items: items.into_iter().map(made).collect() }
    }
}

/// Query parameters of every paged endpoint. Values out of range are clamped, not refused.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PageQuery {
    /// One-based page number; 1 when absent.
    #[serde(default, deserialize_with = "clamped", skip_serializing_if = "Option::is_none")]
    #[schemars(schema_with = "any_integer")]
    pub page: Option<u32>,
    /// Entries per page; 50 when absent, at most 100.
    #[serde(default, deserialize_with = "clamped", skip_serializing_if = "Option::is_none")]
    #[schemars(schema_with = "any_integer")]
    pub page_size: Option<u32>,
}

/// Reads a page number or size of a query: however large or small a number is written, it becomes the nearest
/// that there is, as the endpoint clamps it anyway.
pub(crate) fn clamped<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<u32>, D::Error> {
    let text = String::deserialize(deserializer)?;
    let digits = text.strip_prefix('-').unwrap_or(&text);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(D::Error::custom("write a whole number"));
    }
    let negative = digits.len() < text.len();
    Ok(Some(if negative { 0 } else { digits.parse().unwrap_or(u32::MAX) }))
}

/// The schema of what [`clamped`] reads: the released one, without its bounds.
pub(crate) fn any_integer(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "type": "integer", "format": "uint32" })
}
