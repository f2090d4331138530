//! What a run says on its item when it is over.
//!
//! Everyone who sees the item may read it, so it never tells the failure reason, which is for factory
//! operators (specification section 2.6).

use std::fmt::Write as _;

use super::{Ended, Ending, Run, RunKind};
use crate::untrusted;

/// Longest part of the agent's own words, in bytes.
const MAX_WORDS: usize = 20_000;

/// Text of the outcome comment, Markdown.
pub fn comment(run: &Run, ended: &Ended) -> String {
    let what = match run.kind {
        RunKind::Refine => "Refinement",
        RunKind::Implement | RunKind::Continue | RunKind::Retry | RunKind::FollowUp => "Run",
    };
    let mut text = match &ended.ending {
        Ending::Succeeded => format!("{what} succeeded."),
        Ending::Failed { .. } => format!("{what} failed."),
        Ending::Cancelled { by: Some(person) } => format!("{what} cancelled by {}.", person.name),
        Ending::Cancelled { by: None } => format!("{what} cancelled: its runner was stopped."),
        Ending::TimedOut => {
            format!("{what} stopped at its time limit of {} minutes.", run.time_limit_minutes)
        }
    };
    if let Some(words) = ended.report.outcome.as_deref() {
        let words = untrusted::shortened(&untrusted::visible(words), MAX_WORDS);
        if !words.trim().is_empty() {
            let _ = write!(text, "\n\n{}", words.trim());
        }
    }
    if let Some(url) = &ended.report.pull_request {
        let _ = write!(text, "\n\nPull request: {url}");
    } else if let Some(branch) = &ended.report.pushed_branch {
        let _ = write!(text, "\n\nBranch: `{}`", branch.replace('`', ""));
    }
    text
}

/// The address of a pull request if it is one that can be linked: http or https, one line, not too long.
pub fn pull_request_url(text: &str) -> Option<String> {
    let text = text.trim();
    let rest = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://"))?;
    let fine = (1..=1_900).contains(&rest.len())
        && !rest.starts_with('/')
        && !rest.chars().any(|c| c.is_whitespace() || c.is_control() || "<>\"`\\".contains(c));
    fine.then(|| text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::pull_request_url;

    #[test]
    fn only_web_addresses_are_linked() {
        assert_eq!(
            pull_request_url(" https://host.example/o/r/pull/3\n").as_deref(),
            Some("https://host.example/o/r/pull/3")
        );
        for text in ["", "javascript:alert(1)", "https://", "https:///x", "https://a b", "https://a\"onclick"]
        {
            assert_eq!(pull_request_url(text), None, "{text:?}");
        }
    }
}
