//! Markdown of a reply as HTML, for who asks for it with `?render=html`.
//!
//! Reads what links need to know, the projects that the caller sees, once for all texts of a reply, and bounds
//! what is made of all of them. Decides nothing about texts: that is `svc_text::markdown`.

use std::collections::HashSet;
use std::sync::Arc;

use svc_api::rendered::{Render, RenderQuery};
use svc_app::tracker::projects;
use svc_app::{App, Caller, Result, heavy};
use svc_text::markdown::{Links, html};

/// Bytes of HTML of one reply: after so many, no further text is rendered.
const MOST: usize = 4_000_000;

/// Renders the texts of one reply, or none of them.
pub struct Renderer(Option<Arc<Known>>);

struct Known {
    org: String,
    projects: HashSet<String>,
}

impl Renderer {
    /// The renderer that a request asks for. The caller has entered the organization already.
    ///
    /// # Errors
    /// Those of listing the caller's projects.
    pub async fn wanted(app: &App, caller: Caller<'_>, query: RenderQuery) -> Result<Self> {
        let Some(Render::Html) = query.render else { return Ok(Self(None)) };
        Self::of(app, caller).await
    }

    /// The renderer of a request that is for nothing else.
    ///
    /// # Errors
    /// Those of entering the organization.
    pub async fn of(app: &App, caller: Caller<'_>) -> Result<Self> {
        let projects = projects::list(app, caller, true).await?;
        let projects = projects.into_iter().map(|seen| seen.project.key.into()).collect();
        Ok(Self(Some(Arc::new(Known { org: caller.org.as_str().to_owned(), projects }))))
    }

    /// The HTML of a text, where it was asked for.
    ///
    /// # Errors
    /// [`StorageError::Unavailable`](svc_app::StorageError::Unavailable) when too much is to be rendered at once.
    pub async fn html(&self, markdown: &str) -> Result<Option<String>> {
        Ok(self.all(std::iter::once(markdown)).await?.pop().flatten())
    }

    /// The HTML of each text, in their order, where it was asked for and as far as it fits into one reply.
    ///
    /// # Errors
    /// [`StorageError::Unavailable`](svc_app::StorageError::Unavailable) when too much is to be rendered at once.
    pub async fn all<'t>(&self, texts: impl Iterator<Item = &'t str>) -> Result<Vec<Option<String>>> {
        let Some(known) = self.0.clone() else { return Ok(texts.map(|_| None).collect()) };
        let texts: Vec<String> = texts.map(str::to_owned).collect();
        let bytes = texts.iter().map(String::len).sum();
        heavy::on_texts(bytes, move || known.all(&texts)).await
    }
}

/// The text with the box of a task ticked or empty; `None` where there is no such box.
///
/// # Errors
/// [`StorageError::Unavailable`](svc_app::StorageError::Unavailable) when too much is to be rendered at once.
pub async fn with_task(markdown: String, number: usize, done: bool) -> Result<Option<String>> {
    heavy::on_texts(markdown.len(), move || svc_text::markdown::with_task(&markdown, number, done)).await
}

impl Known {
    fn all(&self, texts: &[String]) -> Vec<Option<String>> {
        let links = Links { org: &self.org, is_project: &|key| self.projects.contains(key) };
        let mut left = MOST;
        let render = |text: &String| {
            let html = (left > 0).then(|| html(text, links))?;
            left = left.saturating_sub(html.len());
            Some(html)
        };
        texts.iter().map(render).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::{Known, MOST};

    /// A hundred comments of wide tables took 20 s and 842 MB, and answered 250 MB.
    #[test]
    fn what_is_made_of_all_texts_of_a_reply_is_bounded() {
        let known = Known { org: "acme".into(), projects: ["AB".to_owned()].into() };
        let wide = format!("|{}\n|{}\n{}", "a|".repeat(8_000), "-|".repeat(8_000), "b\n".repeat(4_000));
        let links = "AB-1 ".repeat(9_000);
        for text in [wide, links] {
            let rendered = known.all(&vec![text; 100]);
            let bytes: usize = rendered.iter().flatten().map(String::len).sum();
            assert!(bytes < 2 * MOST, "{bytes} bytes");
            assert!(rendered[0].is_some() && rendered[99].is_none());
        }
        let short = known.all(&vec!["*word*".to_owned(); 100]);
        assert!(short.iter().all(Option::is_some));
    }
}
