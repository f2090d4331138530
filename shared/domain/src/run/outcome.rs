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

/// What a refine run says that ended well.
const SUCCEEDED: &str = "Refinement succeeded.";

/// How a run ended, in the service's own words, for who does not see what agents say.
pub fn ending(run: &Run, ended: &Ended) -> String {
    let what = if run.is_refinement() { "Refinement" } else { "Run" };
    match &ended.ending {
        Ending::Succeeded if run.is_refinement() => SUCCEEDED.to_owned(),
        Ending::Succeeded => "Run succeeded.".to_owned(),
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
    if refinement.status() == RefinementStatus::Failed {
        let nothing = format!(
            "Refinement failed: the run submitted nothing. Try again on the item's page, or with `svc refine start {item}`."
        );
        return match text.strip_prefix(SUCCEEDED) {
            Some(rest) => nothing + rest,
            None => text,
        };
    }
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
    let mut url = Url::parse(text).ok()?;
    leave_subpage(&mut url);
    let anonymous = url.username().is_empty() && url.password().is_none();
    let fine = matches!(url.scheme(), "http" | "https") && anonymous && url.as_str().len() <= MAX_URL;
    fine.then(|| url.into())
}

/// Whether two addresses are of one pull request: names of owners and repositories are the same in any case, and a host
/// that has both serves the same over `http` and `https`.
pub fn is_same_pull_request(one: &str, other: &str) -> bool {
    let place = |url: &'_ str| url.split_once("://").map_or(url, |(_, rest)| rest).to_ascii_lowercase();
    place(one) == place(other)
}

/// Goes from a page of a pull request, such as that of its files, to the pull request itself.
fn leave_subpage(url: &mut Url) {
    let Some(segments) = url.path_segments().map(Iterator::collect::<Vec<_>>) else { return };
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let kinds = ["pull", "pulls", "merge_requests", "pull-requests"];
    let at = segments.windows(2).position(|two| kinds.contains(&two[0]) && is_number(two[1]));
    let Some(at) = at.filter(|at| *at >= 2) else { return };
    let path = segments[..at + 2].join("/");
    url.set_path(&path);
    url.set_query(None);
    url.set_fragment(None);
}

#[cfg(test)]
mod tests {
    use super::{is_same_pull_request, pull_request_url};

    #[test]
    fn every_page_of_a_pull_request_is_its_address() {
        let one = "https://host.example/o/r/pull/3";
        for text in [
            "https://host.example/o/r/pull/3/files",
            "https://host.example/o/r/pull/3/commits/abc?w=1#diff-1",
            "https://host.example/o/r/pull/3/",
            "https://host.example/o/r/pull/3#issuecomment-1",
        ] {
            assert_eq!(pull_request_url(text).as_deref(), Some(one), "{text}");
        }
        let merge = "https://host.example/a/b/c/-/merge_requests/12";
        assert_eq!(pull_request_url(&format!("{merge}/diffs?tab=1")).as_deref(), Some(merge));
        for other in [
            "https://host.example/o/pull/pull/x",
            "https://host.example/pull/3/x",
            "https://host.example/o/r?a#b",
        ] {
            assert_eq!(pull_request_url(other).as_deref(), Some(other));
        }
        assert!(is_same_pull_request("http://host.example/O/R/pull/3", one));
        assert!(!is_same_pull_request("https://host.example/o/r/pull/33", one));
    }

    #[test]
    fn only_web_addresses_are_linked() {
        assert_eq!(
            pull_request_url(" https://host.example/o/r/pull/3\n").as_deref(),
            Some("https://host.example/o/r/pull/3")
        );
        for (text, one) in [
            ("HTTPS://Host.Example/o/r/pull/3", "https://host.example/o/r/pull/3"),
            ("https://host.example:443/o/./r/pull/3", "https://host.example/o/r/pull/3"),
            ("http://[::1]:3000/o/r/pulls/3?tab=files#a", "http://[::1]:3000/o/r/pulls/3"),
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
