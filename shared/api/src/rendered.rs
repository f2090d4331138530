//! Markdown as HTML, beside what carries it (specification section 2.2).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How texts shall come.
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
    /// without anything that acts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String", extend("enum" = ["html"]), example = Render::Html)]
    pub render: Option<Render>,
}

/// Something with a Markdown body, and its HTML for who asked for it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "Rendered{T}")]
pub struct Rendered<T> {
    /// What carries the body.
    #[serde(flatten)]
    pub of: T,
    /// The body as HTML that is safe to show; absent unless asked for with `?render=html`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(example = &"<p>As a visitor I want to be greeted by my name.</p>")]
    pub html: Option<String>,
}
