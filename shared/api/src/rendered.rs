//! Markdown as HTML, beside what carries it (specification section 2.2).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Format of texts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum Render {
    /// As Markdown, and as HTML that is safe to show.
    Html,
}

/// Asks for texts as HTML too (`?render=html`).
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RenderQuery {
    /// `html` adds the field `html`: the body with tables, task lists, links to items and marked mentions,
    /// without anything active.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String", extend("enum" = ["html"]), example = Render::Html)]
    pub render: Option<Render>,
}

/// A text to render (`POST /orgs/{slug}/render`).
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RenderText {
    /// Markdown; at most 100,000 characters.
    #[schemars(example = "Look at **this**")]
    pub body: String,
}

/// A text as HTML.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RenderedText {
    /// HTML that is safe to show: as `render=html` would make it of the same text.
    pub html: String,
}

/// Ticks the box of a task in a description, or empties it (`POST …/items/{key}/tasks/{number}`).
#[derive(Clone, Copy, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SetTask {
    /// The version last read.
    pub version: u64,
    /// Whether it is done.
    pub done: bool,
}

/// A resource with a Markdown body, and its HTML on request.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "Rendered{T}")]
pub struct Rendered<T> {
    /// The resource.
    #[serde(flatten)]
    pub of: T,
    /// The body as HTML that is safe to show; only with `?render=html`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(example = &"<p>As a visitor I want to be greeted by my name.</p>")]
    pub html: Option<String>,
}
