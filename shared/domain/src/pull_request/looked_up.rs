//! What a runner found when it looked up the pull request that its run goes on from. It knows less than the code host's
//! deliveries: not when it happened, and maybe not the newest commit.

use jiff::Timestamp;

use super::{PullRequest, PullRequestState};

impl PullRequest {
    /// Hears what a runner found now.
    pub(super) fn hear_looked_up(
        &mut self,
        state: PullRequestState,
        head: Option<&str>,
        now: Timestamp,
    ) -> bool {
        let told = self.state_at > Timestamp::MIN;
        let known = told && self.state == state && (self.head.is_some() || head.is_none());
        let over = self.state == PullRequestState::Merged && state != PullRequestState::Merged;
        if known || over || now < self.state_at {
            return false;
        }
        (self.state, self.state_at) = (state, now);
        if let (None, Some(head)) = (&self.head, head) {
            self.move_to(head);
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use jiff::Timestamp;

    use crate::pull_request::PullRequestState::{self, Closed, Merged, Open};
    use crate::pull_request::{News, PullRequest, What};

    fn news(second: i64, what: What) -> News {
        let at = Timestamp::from_second(second).unwrap();
        News { url: "https://host/o/r/pull/7".into(), branch: None, at, what }
    }

    fn looked_up(second: i64, state: PullRequestState, head: Option<&str>) -> News {
        news(second, What::LookedUp { state, head: head.map(str::to_owned) })
    }

    #[test]
    fn what_a_runner_finds_is_heard_unless_it_is_known_or_merged() {
        let mut known = PullRequest::unknown("https://host/o/r/pull/7".into());
        assert!(known.hear(&looked_up(1, Open, None)) && !known.hear(&looked_up(2, Open, None)));
        assert!(known.hear(&looked_up(3, Open, Some("aa"))), "its commit is new");
        assert_eq!(known.head.as_deref(), Some("aa"));
        let moved = What::State { state: Open, head: "bb".into(), reopened: false };
        assert!(known.hear(&news(4, moved)) && !known.hear(&looked_up(5, Open, Some("aa"))));
        assert!(!known.hear(&looked_up(3, Closed, None)), "older than what the host said");
        assert!(known.hear(&looked_up(6, Closed, Some("aa"))) && known.hear(&looked_up(7, Open, None)));
        assert_eq!((known.state, known.head.as_deref()), (Open, Some("bb")), "the host knows the commit");
        assert!(known.hear(&looked_up(8, Merged, None)));
        for state in [Open, Closed, Merged] {
            assert!(!known.hear(&looked_up(9, state, None)), "nothing comes after a merge");
        }
        assert_eq!(known.state, Merged);
    }
}
