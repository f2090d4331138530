//! What a run says on its item when it is over.
//!
//! Everyone who sees the item may read it, so it never tells the failure reason, which is for factory
//! operators (specification section 2.6). Only what a follow-up misses is told to who asked for it (section 3.2).

use std::fmt::Write as _;

use url::Url;

use super::{Ended, Ending, Run};
use crate::failure::FailureReason;
use crate::refinement::{Refinement, RefinementStatus};
use crate::untrusted;

/// Longest part of the agent's own words, in bytes.
const MAX_WORDS: usize = 20_000;

/// How a run ended, in the service's own words, for who does not see what agents say.
pub fn ending(run: &Run, ended: &Ended) -> String {
    let what = if run.is_refinement() { "Refinement" } else { "Run" };
    match &ended.ending {
        Ending::Succeeded => format!("{what} succeeded."),
        Ending::Failed { .. } => format!("{what} failed."),
        Ending::Cancelled { by: Some(person) } => format!("{what} cancelled by {}.", person.name),
        Ending::Cancelled { by: None } => format!("{what} cancelled: its runner was stopped."),
        Ending::TimedOut => {
            let minutes = run.time_limit_minutes;
            let unit = if minutes == 1 { "minute" } else { "minutes" };
            format!("{what} stopped at its time limit of {minutes} {unit}.")
        }
    }
}

/// Text of the outcome comment, Markdown.
pub fn comment(run: &Run, ended: &Ended) -> String {
    let mut text = ending(run, ended);
    if let Ending::Failed { reason: FailureReason::FollowUpTargetMissing, detail } = &ended.ending {
        let missing = detail.as_deref().unwrap_or("the earlier pull request or branch is gone");
        let _ = write!(text, " The earlier work is missing: {}.", untrusted::one_line(missing));
    }
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

/// The outcome of a refine run with what a person does next, where the agent waits for one.
pub fn with_next_step(mut text: String, refinement: Option<&Refinement>) -> String {
    let Some(refinement) = refinement else { return text };
    let item = &refinement.item;
    let next = match (refinement.status(), refinement.open_questions().len()) {
        (RefinementStatus::Questions, 1) => {
            format!("It has a question: answer it on the item's page, or with `svc refine answer {item}`.")
        }
        (RefinementStatus::Questions, many) => format!(
            "It has {many} questions: answer them on the item's page, or with `svc refine answer {item}`."
        ),
        (RefinementStatus::Proposed, _) => {
            format!("It has a proposal: confirm it on the item's page, or with `svc refine confirm {item}`.")
        }
        (RefinementStatus::Running | RefinementStatus::Failed | RefinementStatus::Confirmed, _) => {
            return text;
        }
    };
    text.push_str("\n\n");
    text.push_str(&next);
    text
}

/// Longest address of a pull request, in bytes.
const MAX_URL: usize = 1_900;

/// The address of a pull request if it is one that can be linked: http or https, one line, not too long, with
/// nobody's password in it. In the one form that all ways to write it have.
pub fn pull_request_url(text: &str) -> Option<String> {
    let text = text.trim();
    // A reader of addresses forgives too much: more slashes, and spaces within.
    let odd = |c: char| c.is_whitespace() || untrusted::is_hidden(c) || "<>\"`\\".contains(c);
    if text.split_once("://")?.1.starts_with('/') || text.contains(odd) {
        return None;
    }
    let url = Url::parse(text).ok()?;
    let anonymous = url.username().is_empty() && url.password().is_none();
    let fine = matches!(url.scheme(), "http" | "https") && anonymous && url.as_str().len() <= MAX_URL;
    fine.then(|| url.into())
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
        for (text, one) in [
            ("HTTPS://Host.Example/o/r/pull/3", "https://host.example/o/r/pull/3"),
            ("https://host.example:443/o/./r/pull/3", "https://host.example/o/r/pull/3"),
            ("http://[::1]:3000/o/r/pulls/3?tab=files#a", "http://[::1]:3000/o/r/pulls/3?tab=files#a"),
        ] {
            assert_eq!(pull_request_url(text).as_deref(), Some(one), "one address, however it is written");
            assert_eq!(pull_request_url(one).as_deref(), Some(one));
        }
        let long = format!("https://a/{}", "x".repeat(2_000));
        for text in [
            "",
            "javascript:alert(1)",
            "javascript://a/%0aalert(1)",
            "ftp://a/1",
            "//a/1",
            "https://",
            "https:///x",
            "https:a/1",
            "https://a b",
            "https://a/b\tc",
            "https://a\"onclick",
            "https://[::1",
            "https://a:port/1",
            "https://me:secret@host.example/o/r/pull/3",
            "https://token@host.example/o/r/pull/3",
            "https://host.example/\u{202e}3",
            &long,
        ] {
            assert_eq!(pull_request_url(text), None, "{text:?}");
        }
    }
}
