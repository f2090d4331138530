//! `svc playbook edit`: reads the playbook, then sends the change under its version; without one it opens the instructions
//! in the person's editor.

use std::path::PathBuf;

use svc_api::Patch;
use svc_api::factory::{Delivers, DeliveryMode, Harness, Playbook, UpdatePlaybook};
use svc_client::Org;

use super::{Which, find, table};
use crate::commands::files::given;
use crate::editor::{self, Purpose, quoted};
use crate::failure::Failure;
use crate::keeping;
use crate::reading::{Author, Text, origin, place, taken_up};
use crate::revising::{self, Revised};
use crate::session::Session;
use crate::values::{OrNone, delivers, delivery_mode, harness};

/// How the instructions are given without an editor.
const BY_OPTION: &str = "give the instructions with --body or --body-file";

/// Change a playbook; without options, edit its instructions in your editor. Queued and running runs keep the earlier
/// instructions.
///
/// It opens $SVC_EDITOR, $VISUAL or $EDITOR. Other fields stay as they are. If someone else changes other lines of
/// the instructions while you write, svc merges both changes; at a terminal it asks first. If they change the same
/// lines, nothing is changed (exit code 3) and your text is kept in a file; continue with --body-file.
#[derive(clap::Args)]
#[command(
    override_usage = "svc playbook edit [OPTIONS] --project <PROJECT_KEY> <PLAYBOOK>",
    after_help = "\
Examples:
  svc playbook edit Implement -p PRJ
  svc playbook edit Implement -p PRJ --body-file implement.md
  svc playbook edit Implement -p PRJ --harness codex --failure-state none --default true"
)]
pub(crate) struct Args {
    #[command(flatten)]
    which: Which,
    #[command(flatten)]
    change: Change,
}

#[derive(clap::Args)]
struct Change {
    /// Instructions in Markdown
    #[arg(short = 'm', long, value_name = "TEXT", conflicts_with = "body_file")]
    body: Option<String>,
    /// File with the instructions; - reads stdin
    #[arg(long, value_name = "PATH")]
    body_file: Option<PathBuf>,
    /// Coding harness that executes it
    #[arg(long, value_parser = harness(), ignore_case = true)]
    harness: Option<Harness>,
    /// State that the item moves to when a run succeeds, or none
    #[arg(long, value_name = "STATE")]
    success_state: Option<OrNone<String>>,
    /// State that the item moves to when a run fails, or none
    #[arg(long, value_name = "STATE")]
    failure_state: Option<OrNone<String>>,
    /// Minutes after which a run is stopped, 1 to 1440
    #[arg(long, value_name = "MINUTES")]
    time_limit: Option<u32>,
    /// Where the result goes: a branch with a pull request, or a push to the default branch
    #[arg(long, value_parser = delivery_mode(), ignore_case = true)]
    delivery: Option<DeliveryMode>,
    /// What a run must leave to have succeeded: a commit, or nothing
    #[arg(long, value_parser = delivers(), ignore_case = true)]
    delivers: Option<Delivers>,
    /// Whether a failed check or a requested change on a pull request of its runs starts a follow-up run
    #[arg(long, value_name = "BOOL", num_args = 0..=1, default_missing_value = "true")]
    pull_request_follow_ups: Option<bool>,
    /// Whether it is the default playbook of the project
    #[arg(long, value_name = "BOOL", num_args = 0..=1, default_missing_value = "true")]
    default: Option<bool>,
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    let Args { which, change } = args;
    let file = change.body_file.clone();
    let mut change = change.into_update()?;
    let (slug, project) = (session.org_slug().await?, which.project.key(session).await?);
    let (org, project) = (session.org(&slug), project.as_str());
    let found = find(&which.playbook, project, &slug, session).await?;
    let thing = Instructions { org, project, playbook: &found, session };
    let playbook = if change == UpdatePlaybook::default() {
        let before = thing.read().await?;
        let again = Some(format!("svc playbook edit {} -p {project} --body-file", quoted(&found.name)));
        let instructions = thing.text(&before);
        let origin = Some(origin(&thing.shown(&before, &instructions, &slug), session));
        let purpose = Purpose { name: &found.name, instead: BY_OPTION, again, begin: None, origin };
        let draft = editor::edit(&instructions, purpose, session.output).await?;
        let Some(draft) = draft else { return Ok(()) };
        revising::save(draft, before, &thing, session.output).await?
    } else {
        let mut version = found.version;
        if let (Some(path), Some(new)) = (&file, &change.instructions)
            && let Some(kept) = keeping::kept(path, new, &place(&thing.place(&slug), session))
        {
            let before = thing.read().await?;
            let instructions = thing.text(&before);
            let now = thing.shown(&before, &instructions, &slug);
            version = before.version;
            change.instructions = Some(taken_up(&now, new.clone(), &kept, true, session).await?);
        }
        org.update_playbook(project, &found.id, &UpdatePlaybook { version, ..change }).await?
    };
    keeping::used_up(file.as_deref(), Some(&place(&thing.place(&slug), session)), session.output);
    session.output.one(&playbook, table)
}

/// The instructions of a playbook.
struct Instructions<'a> {
    org: Org<'a>,
    project: &'a str,
    playbook: &'a Playbook,
    session: &'a Session<'a>,
}

impl Instructions<'_> {
    /// Where they are, in the instance.
    fn place(&self, slug: &str) -> String {
        format!("{slug}/{}/playbooks/{}", self.project, self.playbook.id)
    }

    /// The instructions that were read.
    fn shown<'a>(&self, seen: &Playbook, instructions: &'a str, slug: &str) -> Text<'a> {
        Text {
            what: format!("the instructions of {}", seen.name),
            place: self.place(slug),
            version: seen.version,
            body: instructions,
            by: Author::Unknown,
            read_with: self.read_with(),
        }
    }
}

impl Revised for Instructions<'_> {
    type Seen = Playbook;
    type Saved = Playbook;

    async fn read(&self) -> Result<Playbook, Failure> {
        Ok(self.org.playbook(self.project, &self.playbook.id).await?)
    }

    fn text(&self, seen: &Playbook) -> String {
        seen.instructions.clone().unwrap_or_default()
    }

    fn version(&self, seen: &Playbook) -> u64 {
        seen.version
    }

    async fn author(&self, _: &Playbook) -> Option<String> {
        Author::Unknown.name(self.session).await
    }

    async fn write(&self, seen: &Playbook, text: &str) -> Result<Playbook, Failure> {
        let instructions = Some(text.to_owned());
        let change = UpdatePlaybook { version: seen.version, instructions, ..UpdatePlaybook::default() };
        Ok(self.org.update_playbook(self.project, &self.playbook.id, &change).await?)
    }

    fn read_with(&self) -> String {
        format!("svc playbook view {} -p {}", quoted(&self.playbook.name), self.project)
    }
}

impl Change {
    /// The change, without the version that it is made under.
    fn into_update(self) -> Result<UpdatePlaybook, Failure> {
        let state = |state: Option<OrNone<String>>| state.map_or(Patch::Keep, Patch::from);
        Ok(UpdatePlaybook {
            version: 0,
            instructions: given(self.body, self.body_file)?,
            harness: self.harness,
            time_limit_minutes: self.time_limit,
            success_state: state(self.success_state),
            failure_state: state(self.failure_state),
            delivery_mode: self.delivery,
            delivers: self.delivers,
            pull_request_follow_ups: self.pull_request_follow_ups,
            project_default: self.default,
        })
    }
}
