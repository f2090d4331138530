//! What a run goes on from that a mention asks for (specification section 3.2, follow-up branch choice), or the code
//! host.
//!
//! The earlier run is the one that the comment's thread is about, or else the item's newest that worked on a branch of
//! its own. The follow-up works on the branch that run left, and, with the same agent and harness, in its session.
//! What has become of that branch and its pull request is looked up by the runner, not here.

use super::{Delivery, Run, RunKind};
use crate::comment::Comment;
use crate::pull_request::{FollowUp, HostRequest, repository_of};

/// The run that answers a comment: `run` as any new run of its item would be, `thread` the comment that began the
/// thread, `earlier` the item's runs, newest first.
pub fn answering(run: Run, asked: &Comment, thread: Option<&Comment>, earlier: &[Run]) -> Run {
    let next = Run { kind: RunKind::FollowUp, comment: Some(asked.id), ..run };
    match followed(asked, thread, earlier) {
        Some(before) => after(next, before, earlier, None),
        None => next,
    }
}

/// The run that does what the code host asks for about the pull request that `before` works on.
pub fn mending(run: Run, request: HostRequest, before: &Run, earlier: &[Run]) -> Run {
    let run = Run { kind: RunKind::FollowUp, ..run };
    let mut next = after(run, before, earlier, Some(request.url.clone()));
    if let Some(follow_up) = &mut next.follow_up {
        follow_up.request = Some(request);
    }
    next
}

/// The newest of these runs that is over and worked on the pull request of this address and branch.
pub fn of_pull_request<'a>(earlier: &'a [Run], url: &str, branch: Option<&str>) -> Option<&'a Run> {
    earlier.iter().find(|run| has_branch(run) && works_on(run, url, branch))
}

/// Whether a run works, or worked, on the pull request of this address and branch.
pub fn works_on(run: &Run, url: &str, branch: Option<&str>) -> bool {
    let on_branch = branch.is_some_and(|branch| branch == branch_of(run) && is_in_repository(run, url));
    run.delivery == Delivery::BranchAndPullRequest
        && !run.is_refinement()
        && (on_branch || worked_on(run, url))
}

/// Whether the pull request is in the repository of a run; unless that one's clone is all that is known of it.
fn is_in_repository(run: &Run, url: &str) -> bool {
    run.repository.name.as_ref().is_none_or(|name| repository_of(url).as_ref() == Some(name))
}

fn worked_on(run: &Run, url: &str) -> bool {
    let opened = run.ended().and_then(|ended| ended.report.pull_request.as_deref());
    let followed = run.follow_up.as_ref().and_then(|follow_up| follow_up.pull_request.as_deref());
    opened == Some(url) || followed == Some(url)
}

/// The run that goes on where `before` stopped; its pull request, where that is known.
fn after(mut next: Run, before: &Run, earlier: &[Run], known: Option<String>) -> Run {
    next.earlier_run = Some(before.id);
    if before.harness_is_chosen && before.playbook.id == next.playbook.id {
        (next.harness, next.harness_is_chosen) = (before.harness, true);
    }
    if before.agent.id == next.agent.id && before.harness == next.harness {
        next.resume_session = before.session().map(ToOwned::to_owned);
    }
    if next.delivery != Delivery::BranchAndPullRequest {
        return next;
    }
    let branch = branch_of(before).to_owned();
    let on_branch = || earlier.iter().filter(|run| has_branch(run) && branch_of(run) == branch);
    let pull_request = known.or_else(|| on_branch().find_map(|run| run.ended()?.report.pull_request.clone()));
    let was_pushed = on_branch().any(|run| run.ended().is_some_and(|e| e.report.pushed_branch.is_some()));
    let new_branch = std::mem::replace(&mut next.branch, branch);
    if was_pushed || pull_request.is_some() {
        next.follow_up = Some(FollowUp { pull_request, new_branch, request: None });
    }
    next
}

fn followed<'a>(asked: &Comment, thread: Option<&Comment>, earlier: &'a [Run]) -> Option<&'a Run> {
    let in_thread = |run: &&Run| {
        thread.is_some_and(|root| root.outcome_of == Some(run.id)) || run.comment == Some(asked.thread())
    };
    let fitting = || earlier.iter().filter(|run| has_branch(run));
    fitting().find(in_thread).or_else(|| fitting().next())
}

/// Whether it is over, and worked on a branch of its own.
fn has_branch(run: &Run) -> bool {
    let over = run.ended().is_some_and(|ended| ended.started_at.is_some());
    over && !run.is_refinement() && run.delivery == Delivery::BranchAndPullRequest
}

/// The branch that its work is on: a follow-up may have begun another one.
fn branch_of(run: &Run) -> &str {
    let pushed = run.ended().and_then(|ended| ended.report.pushed_branch.as_deref());
    pushed.unwrap_or(&run.branch)
}

#[cfg(test)]
mod tests {
    use super::{answering, mending, of_pull_request, works_on};
    use crate::comment::Comment;
    use crate::comment::tests::{agent, comment, person};
    use crate::ids::RunId;
    use crate::pull_request::{Cause, FollowUp, HostRequest};
    use crate::run::machine::tests::{run, start};
    use crate::run::{Delivery, Ended, Ending, Report, ReportWindow, Run, RunKind, State};
    use uuid::Uuid;

    fn id(n: u128) -> RunId {
        RunId(Uuid::from_u128(n))
    }

    fn earlier(n: u128, branch: &str, report: Report) -> Run {
        let ended = Ended {
            ending: Ending::Succeeded,
            at: start(),
            hold: None,
            started_at: Some(start()),
            report,
            report_window: ReportWindow::Heard,
        };
        let state = State::Ended(Box::new(ended));
        Run {
            id: id(n),
            branch: branch.into(),
            state,
            delivery: Delivery::BranchAndPullRequest,
            ..run(9, start())
        }
    }

    fn pushed(branch: &str, pull_request: Option<&str>) -> Report {
        Report {
            pushed_branch: Some(branch.into()),
            pull_request: pull_request.map(ToOwned::to_owned),
            session: Some("s-1".into()),
            ..Report::default()
        }
    }

    fn new() -> Run {
        let delivery = Delivery::BranchAndPullRequest;
        Run { branch: "fresh".into(), delivery, ..run(9, start()) }
    }

    #[test]
    fn it_goes_on_where_the_newest_run_stopped() {
        let url = "https://host.example/pull/1";
        let runs = [
            earlier(3, "one", pushed("one", None)),
            Run { refines: true, ..earlier(2, "main", Report::default()) },
            earlier(1, "one", pushed("one", Some(url))),
        ];
        let next = answering(new(), &comment(7, person()), None, &runs);
        assert_eq!((next.kind, next.branch.as_str()), (RunKind::FollowUp, "one"));
        assert_eq!((next.earlier_run, next.comment), (Some(id(3)), Some(comment(7, person()).id)));
        let expected = FollowUp { pull_request: Some(url.into()), new_branch: "fresh".into(), request: None };
        assert_eq!(next.follow_up, Some(expected), "the pull request of the branch, whichever run opened it");
        assert_eq!(next.resume_session.as_deref(), Some("s-1"));
    }

    #[test]
    fn a_comment_in_the_thread_of_a_run_follows_that_run() {
        let runs = [earlier(3, "two", pushed("two", None)), earlier(1, "one", pushed("one", None))];
        let outcome = Comment { outcome_of: Some(id(1)), ..comment(5, agent()) };
        let reply = comment(7, person()).answering(&outcome);
        assert_eq!(answering(new(), &reply, Some(&outcome), &runs).branch, "one");
        let asked = comment(6, person());
        let mut answered = runs.clone();
        answered[1].comment = Some(asked.id);
        let again = comment(8, person()).answering(&asked);
        assert_eq!(answering(new(), &again, Some(&asked), &answered).branch, "one");
    }

    #[test]
    fn a_branch_that_a_follow_up_began_is_the_one_to_go_on_from() {
        let moved = earlier(3, "one", pushed("one-x", None));
        assert_eq!(answering(new(), &comment(7, person()), None, &[moved]).branch, "one-x");
    }

    #[test]
    fn what_was_never_pushed_need_not_be_there() {
        let next = answering(new(), &comment(7, person()), None, &[earlier(3, "one", Report::default())]);
        assert_eq!((next.branch.as_str(), next.follow_up), ("one", None));
    }

    #[test]
    fn the_code_host_is_answered_on_the_branch_of_the_pull_request() {
        let url = "https://host.example/pull/1";
        let runs = [earlier(3, "two", pushed("two", None)), earlier(1, "one", pushed("one", Some(url)))];
        let request = HostRequest {
            url: url.into(),
            cause: Cause::ChecksFailed,
            head: "a1".into(),
            text: "red".into(),
        };
        let before = of_pull_request(&runs, url, None).unwrap();
        let next = mending(new(), request.clone(), before, &runs);
        assert_eq!((next.kind, next.branch.as_str()), (RunKind::FollowUp, "one"));
        assert_eq!((next.earlier_run, next.comment), (Some(id(1)), None));
        let expected = FollowUp {
            pull_request: Some(url.into()),
            new_branch: "fresh".into(),
            request: Some(request.clone()),
        };
        assert_eq!(next.follow_up, Some(expected));
        assert!(works_on(&runs[1], url, None) && works_on(&runs[0], url, Some("two")));
        assert!(!works_on(&runs[0], url, Some("one")) && !works_on(&new(), url, None));
        let other = "https://host.example/pull/2";
        assert_eq!(of_pull_request(&runs, other, None), None);
        let mut named = runs[0].clone();
        named.repository.name = Some("Acme/Shop".parse().unwrap());
        assert!(works_on(&named, "https://host.example/acme/shop/pull/2", Some("two")));
        assert!(!works_on(&named, "https://host.example/acme/zzz/pull/2", Some("two")), "another repository");
        let pushed_only = of_pull_request(&runs, other, Some("two")).unwrap();
        let next = mending(new(), HostRequest { url: other.into(), ..request }, pushed_only, &runs);
        assert_eq!(next.follow_up.and_then(|follow_up| follow_up.pull_request).as_deref(), Some(other));
    }

    #[test]
    fn without_earlier_work_it_is_a_new_piece_of_work() {
        let unstarted = Run { state: run(9, start()).state, ..earlier(3, "one", Report::default()) };
        let next = answering(new(), &comment(7, person()), None, &[unstarted]);
        assert_eq!((next.branch.as_str(), next.earlier_run, next.follow_up), ("fresh", None, None));
    }

    #[test]
    fn direct_delivery_stays_on_its_target_and_another_agent_starts_a_session_of_its_own() {
        let runs = [earlier(3, "one", pushed("one", None))];
        let target = Delivery::PushToDefaultBranch { target: "main".into() };
        let direct = Run { branch: "main".into(), delivery: target, ..new() };
        let next = answering(direct, &comment(7, person()), None, &runs);
        assert_eq!((next.branch.as_str(), next.follow_up.is_none()), ("main", true));
        let mut other = new();
        other.agent.id.0 = Uuid::from_u128(77);
        assert_eq!(answering(other, &comment(7, person()), None, &runs).resume_session, None);
    }
}
