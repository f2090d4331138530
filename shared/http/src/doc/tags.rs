//! The groups of operations, in the order in which the reference shows them.

use aide::openapi::Tag;

/// Every tag, with what its operations are about.
pub(super) fn tags() -> impl Iterator<Item = Tag> {
    TAGS.iter().map(|(name, description)| Tag {
        name: (*name).to_owned(),
        description: Some((*description).to_owned()),
        ..Tag::default()
    })
}

const TAGS: &[(&str, &str)] = &[
    ("Sign-in", "Register, sign in and out, reset a password, and sign in with an identity provider."),
    ("Account", "The caller: profile, picture, access tokens and sessions."),
    (
        "Notifications",
        "The caller's inbox: what is new about items, sprints, pages and invitations, and what waits for a person.",
    ),
    ("Webhooks", "Signed requests by which an organization tells other programs what happens in it."),
    ("Intakes", "Secret addresses of a project at which monitoring and forms make items."),
    ("Organizations", "The organizations that the caller belongs to."),
    ("Members", "The people of an organization and of its projects, and their roles."),
    ("Invitations", "Invite people to an organization, and join from the link."),
    ("Projects", "Projects with their workflow, labels and ticket templates."),
    ("Milestones", "Goals with a due day that items belong to, and their progress."),
    ("Items", "Work items: create, change, move, claim, list and follow them."),
    ("Comments", "Comments on items, and reactions to them."),
    ("Attachments", "Files on items and comments: announce, upload, commit, download."),
    ("Teams", "The teams of a project. Each plans its own sprints."),
    ("Sprints", "Sprints with their taskboard and burndown."),
    ("Wiki", "The pages of a project's wiki, their versions, and their access rules."),
    ("Search", "Find items, comments, pages, projects and people by words."),
    ("Agents", "Bot identities that work on items."),
    ("Runners", "The machines that agents run on."),
    ("Playbooks", "Reusable instructions for agents."),
    ("Rules", "Rules that start an agent when an item enters a state, and the record of their firings."),
    ("Schedules", "Schedules that create items and start agents on them, and the record of their firings."),
    ("Factory settings", "How a project hands items to agents, and how its tickets are refined."),
    ("Runs", "One attempt of an agent to complete an item: start, watch, read its log, cancel."),
    (
        "Refinement",
        "Agents make tickets ready for work: their questions, people's answers, and their proposals.",
    ),
    ("Code host", "The organization's connection to its code host."),
    ("Instance", "The administration of the instance: accounts, organizations, mail and failed messages."),
    ("Runner", "Operations for the runner program. It authenticates with the runner's secret."),
];
