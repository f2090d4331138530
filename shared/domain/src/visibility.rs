//! What a viewer may see of what agents and runs leave behind: the one policy of specification section 2.9,
//! which every read path asks (comments, history, wiki, search, notifications, MCP tools, activity).
//!
//! People who are no factory operators see a project as a stakeholder does: a Member without `Can start AI work`
//! is what the Stakeholder preset makes, and a Guest, who may do less, sees no more.
//!
//! | what                                                       | operator | agent of a run | others |
//! |------------------------------------------------------------|----------|----------------|--------|
//! | comments of people, in threads that people began           | yes      | yes            | yes    |
//! | comments of agents, outcome comments                       | yes      | yes            | no     |
//! | every reply in a thread that an agent began                | yes      | yes            | no     |
//! | history of people                                          | yes      | yes            | yes    |
//! | history of a run: about it, or written by its agent        | yes      | yes            | no     |
//! | wiki pages                                                 | yes      | yes            | yes    |
//! | pages of the Factory section, older pages of playbooks     | yes      | no             | no     |
//!
//! Hidden is like absent: not in a list, not in a count, not by its id, and refused with the words of what
//! does not exist. Reactions of agents to what a viewer sees are seen, as the specification hides words.
//! Whether a viewer sees the project at all is for [`crate::access`].

use std::collections::{BTreeSet, HashSet};

use crate::access::{Access, Standing, is_factory_operator};
use crate::comment::{Comment, join_threads};
use crate::identity::Member;
use crate::ids::{CommentId, PageId};
use crate::playbook::Playbook;
use crate::project::HistoryEntry;
use crate::wiki::{Page, PagePath};

/// Someone who looks into a project.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Viewer {
    /// An Owner, an Admin, or a Member who can start AI work.
    Operator,
    /// The agent of a run.
    Agent,
    /// Everyone else: stakeholders and Guests.
    Stakeholder,
}

impl Viewer {
    /// The caller.
    pub fn of(access: &Access) -> Self {
        match &access.standing {
            Standing::Member(member) => Self::of_member(member),
            Standing::Agent { .. } => Self::Agent,
        }
    }

    /// A member who is not the caller, but is notified or asked about.
    pub fn of_member(member: &Member) -> Self {
        if is_factory_operator(member) { Self::Operator } else { Self::Stakeholder }
    }

    /// Whether the viewer sees what agents say and what is recorded of runs.
    pub const fn sees_agents_work(self) -> bool {
        match self {
            Self::Operator | Self::Agent => true,
            Self::Stakeholder => false,
        }
    }

    /// Whether the viewer sees the pages that playbooks keep their instructions on.
    pub const fn sees_playbook_pages(self) -> bool {
        match self {
            Self::Operator => true,
            Self::Agent | Self::Stakeholder => false,
        }
    }

    /// Whether the viewer sees a comment. A reply must know its thread, as every stored one of this server
    /// does; others are made to by [`join_threads`].
    pub const fn sees_comment(self, comment: &Comment) -> bool {
        self.sees_agents_work() || !comment.is_agents_work()
    }

    /// The part of an item's discussion that the viewer sees, of all its comments, oldest first, each with
    /// its version. A deleted comment is there only to hold visible replies together.
    pub fn discussion(self, mut all: Vec<(Comment, u64)>) -> Vec<(Comment, u64)> {
        join_threads(all.iter_mut().map(|(comment, _)| comment));
        all.retain(|(comment, _)| self.sees_comment(comment));
        let replies = all.iter().map(|(comment, _)| comment).filter(|comment| !comment.deleted);
        let answered: HashSet<CommentId> = replies.filter_map(|comment| comment.reply_to).collect();
        all.retain(|(comment, _)| !comment.deleted || answered.contains(&comment.id));
        all
    }

    /// Whether the viewer sees an entry of an item's history.
    pub const fn sees_history(self, entry: &HistoryEntry) -> bool {
        let of_run = entry.run.is_some() || entry.actor.id.is_agent();
        self.sees_agents_work() || !of_run
    }

    /// Whether the viewer may know of a path in the wiki, whether or not there is a page.
    pub fn sees_path(self, path: &PagePath) -> bool {
        self.sees_playbook_pages() || !path.is_in_factory_section()
    }

    /// Whether the viewer sees a page.
    pub fn sees_page(self, page: &Page, playbooks: &PlaybookPages) -> bool {
        self.sees_playbook_pages() || (self.sees_path(&page.path) && !playbooks.0.contains(&page.id))
    }
}

/// Every page that holds instructions of a project's playbooks, or did before.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PlaybookPages(BTreeSet<PageId>);

impl PlaybookPages {
    /// The pages of these playbooks: all of the project's.
    pub fn of<'a>(playbooks: impl IntoIterator<Item = &'a Playbook>) -> Self {
        let pages = playbooks
            .into_iter()
            .flat_map(|playbook| std::iter::once(playbook.page).chain(playbook.former_pages.iter().copied()));
        Self(pages.collect())
    }
}

#[cfg(test)]
mod tests {
    use super::{PlaybookPages, Viewer};
    use crate::comment::Comment;
    use crate::comment::tests::{agent, comment, person};
    use crate::ids::{PageId, RunId};
    use crate::playbook::Playbook;
    use crate::project::{Action, HistoryEntry};
    use crate::wiki::Page;
    use serde_json::json;
    use uuid::Uuid;

    const VIEWERS: [Viewer; 3] = [Viewer::Operator, Viewer::Agent, Viewer::Stakeholder];

    fn run() -> RunId {
        RunId(Uuid::from_u128(9))
    }

    fn seen_by(sees: impl Fn(Viewer) -> bool) -> String {
        let seen: Vec<String> =
            VIEWERS.iter().filter(|viewer| sees(**viewer)).map(|viewer| format!("{viewer:?}")).collect();
        seen.join(", ")
    }

    fn page(id: u128, path: &str) -> Page {
        Page {
            id: PageId(Uuid::from_u128(id)),
            path: path.parse().unwrap(),
            version: 1,
            updated_by: person(),
            updated_at: "2026-01-01T12:00:00Z".parse().unwrap(),
            position: 0,
            access: crate::wiki::audience::PageAccess::default(),
        }
    }

    fn playbook() -> Playbook {
        serde_json::from_value(json!({
            "id": Uuid::from_u128(1), "name": "Go", "page": Uuid::from_u128(3), "pagePath": "Factory/Go",
            "formerPages": [Uuid::from_u128(2)], "harness": "harness_1", "timeLimitMinutes": 1,
            "successState": null, "failureState": null, "deliveryMode": "branchAndPullRequest",
            "createdAt": "2026-01-01T12:00:00Z",
        }))
        .unwrap()
    }

    #[test]
    fn every_kind_of_thing_times_every_viewer() {
        let (by_person, by_agent) = (comment(1, person()), comment(2, agent()));
        let outcome = Comment { outcome_of: Some(run()), ..comment(3, person()) };
        let comments = [
            ("comment of a person", by_person.clone()),
            ("comment of an agent", by_agent.clone()),
            ("outcome comment", outcome),
            ("person replies to a person", comment(4, person()).answering(&by_person)),
            ("agent replies to a person", comment(5, agent()).answering(&by_person)),
            ("person replies to an agent", comment(6, person()).answering(&by_agent)),
            (
                "person replies to the agent that replied to a person",
                comment(7, person()).answering(&comment(5, agent()).answering(&by_person)),
            ),
        ];
        let now = by_person.created_at;
        let entry = |actor| HistoryEntry::new(now, actor, Action::Changed);
        let history = [
            ("history of a person", entry(person())),
            ("history of an agent", entry(agent())),
            ("history of a person about a run", entry(person()).about(run())),
        ];
        let playbooks = PlaybookPages::of([&playbook()]);
        let pages = [
            ("page", page(1, "Guides/Release")),
            ("page of a playbook", page(3, "Factory/Go")),
            ("root of the section", page(4, "factory")),
            ("another page of the section", page(5, "Factory/Notes/Deep")),
            ("older page of a playbook", page(2, "Prompts/Go")),
        ];
        let lines = comments
            .iter()
            .map(|(name, comment)| (*name, seen_by(|viewer| viewer.sees_comment(comment))))
            .chain(history.iter().map(|(name, e)| (*name, seen_by(|viewer| viewer.sees_history(e)))))
            .chain(pages.iter().map(|(name, p)| (*name, seen_by(|viewer| viewer.sees_page(p, &playbooks)))));
        let table: String = lines.map(|(name, seen)| format!("{name:52} {seen}\n")).collect();
        insta::assert_snapshot!(table);
    }

    #[test]
    fn a_deleted_comment_stays_for_the_replies_that_the_viewer_sees() {
        let gone = |id, author| Comment { deleted: true, ..comment(id, author) };
        let (asked, alone) = (gone(1, person()), gone(2, person()));
        let all = vec![
            (asked.clone(), 2),
            (alone, 2),
            (comment(3, agent()).answering(&asked), 1),
            (gone(4, person()).clone().answering(&asked), 2),
        ];
        let ids = |viewer: Viewer| {
            let seen = viewer.discussion(all.clone());
            seen.iter().map(|(comment, _)| comment.id.0.as_u128()).collect::<Vec<_>>()
        };
        assert_eq!(ids(Viewer::Operator), [1, 3]);
        assert_eq!(ids(Viewer::Stakeholder), [0; 0], "nothing tells of a reply that is hidden");
    }
}
