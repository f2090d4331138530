//! Markdown of a reply as HTML, for who asks for it with `?render=html`.
//!
//! Reads what links need to know, the projects that the caller sees, once for all texts of a reply. Decides
//! nothing about texts: that is `svc_text::markdown`.

use std::collections::HashSet;

use svc_api::rendered::{Render, RenderQuery};
use svc_app::tracker::projects;
use svc_app::{App, Caller, Error};
use svc_text::markdown::{Links, html};

/// Renders the texts of one reply, or none of them.
pub struct Renderer(Option<Known>);

struct Known {
    org: String,
    projects: HashSet<String>,
}

impl Renderer {
    /// The renderer that a request asks for. The caller has entered the organization already.
    ///
    /// # Errors
    /// Those of listing the caller's projects.
    pub async fn wanted(app: &App, caller: Caller<'_>, query: RenderQuery) -> Result<Self, Error> {
        let Some(Render::Html) = query.render else { return Ok(Self(None)) };
        let projects = projects::list(app, caller, true).await?;
        let projects = projects.into_iter().map(|seen| seen.project.key.into()).collect();
        Ok(Self(Some(Known { org: caller.org.as_str().to_owned(), projects })))
    }

    /// The HTML of a text, where it was asked for.
    pub fn html(&self, markdown: &str) -> Option<String> {
        let Known { org, projects } = self.0.as_ref()?;
        Some(html(markdown, Links { org, is_project: &|key| projects.contains(key) }))
    }
}
