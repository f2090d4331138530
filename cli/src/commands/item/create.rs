//! `svc item create`.

use std::path::PathBuf;

use clap::builder::TypedValueParser as _;
use jiff::civil::Date;
use svc_api::tracker::{Item, ItemType, NewItem, Priority};
use svc_domain::ids::{ItemKey, ProjectKey};

use super::labels::{Labels, warn_of_undefined};
use super::names::show_changed;
use super::shared::text;
use crate::commands::in_project::InProject;
use crate::commands::new_name::NewTitle;
use crate::commands::{files, people, sprint, template};
use crate::editor::{self, Purpose};
use crate::failure::Failure;
use crate::keeping;
use crate::keys::item_key;
use crate::output::{More, is_for_agent};
use crate::reading::remember_written;
use crate::session::Session;
use crate::values::{day, is_none, item_type, number, priority};

/// How the description is given without an editor.
const BY_OPTION: &str = "give the description with --body or --body-file";

/// Create an item.
///
/// At a terminal, it asks for title and type if you give none. It starts in the first state of the project's workflow, unless --state names another.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  svc item create -p PRJ --type story --title 'Filter by label' --body-file story.md
  svc item create 'Renew the certificate' -p PRJ --type task --due 2026-01-31
  svc item create -p PRJ --template 'Bug report' --title 'Search forgets its filter'")]
pub(crate) struct Args {
    #[command(flatten)]
    project: InProject,
    /// Kind of work [default: the template's, or that of the project's only template]
    #[arg(long = "type", value_name = "TYPE", value_parser = item_type(), ignore_case = true)]
    item_type: Option<ItemType>,
    #[command(flatten)]
    title: NewTitle,
    /// Name of the state to start in, in any case
    #[arg(long, value_name = "NAME")]
    state: Option<String>,
    /// Item that it belongs to
    #[arg(long, value_name = "ITEM_KEY", value_parser = item_key)]
    parent: Option<ItemKey>,
    /// Description in Markdown
    #[arg(short = 'm', long, value_name = "TEXT", allow_hyphen_values = true, conflicts_with = "body_file")]
    body: Option<String>,
    /// File with the description; - reads stdin
    #[arg(long, value_name = "PATH")]
    body_file: Option<PathBuf>,
    /// Write the description in your editor, starting from the template's
    #[arg(short, long, conflicts_with_all = ["body", "body_file"])]
    editor: bool,
    /// Priority; medium when absent
    #[arg(long, value_parser = priority(), ignore_case = true)]
    priority: Option<Priority>,
    /// Labels separated by commas; may be repeated
    #[arg(long, visible_alias = "label", value_name = "LIST")]
    labels: Option<Vec<Labels>>,
    /// Estimated effort
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = number)]
    estimate: Option<f64>,
    /// Effort left
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = number)]
    remaining: Option<f64>,
    /// Due day, such as 2026-01-31, +3d or friday
    #[arg(long, value_name = "DAY", value_parser = day)]
    due: Option<Date>,
    /// Sprint to plan it in: its name, its id, or current
    #[arg(long, value_name = "SPRINT")]
    sprint: Option<String>,
    /// Open milestone that it belongs to: its name or id
    #[arg(long, value_name = "NAME")]
    milestone: Option<String>,
    /// Mark it as blocked: something else must happen first
    #[arg(long)]
    blocked: bool,
    /// Address, name or id of a member, or @me
    #[arg(long, value_name = "USER")]
    assignee: Option<String>,
    /// Name or id of an item template that fills in the description, priority and labels that you do not give
    #[arg(long, value_name = "NAME")]
    template: Option<String>,
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    let labels = match Labels::joined(args.labels.unwrap_or_default())? {
        Some(Labels::Replace(labels)) => labels,
        Some(Labels::Change { .. }) => {
            return Err(Failure::rejected("a new item has no labels to add to or remove from")
                .hint("name them without + and -"));
        }
        None => Vec::new(),
    };
    let path = args.body_file.clone();
    let body = files::given(args.body, args.body_file)?.unwrap_or_default();
    let (org, project) = (session.org_slug().await?, args.project.key(session).await?);
    let given = |value: Option<String>| value.filter(|value| !is_none(value));
    let assignee = match given(args.assignee) {
        Some(wanted) => Some(people::account(&wanted, &org, session).await?),
        None => None,
    };
    let sprint = match &given(args.sprint) {
        Some(wanted) => Some(sprint::find(wanted, &project, &org, session).await?),
        None => None,
    };
    let begun = begin_with(args.item_type, args.template, &project, &org, session).await?;
    let draft = match args.editor {
        true => {
            // Says so before a text is written for nothing.
            session.org(&org).project(project.as_str()).await?;
            editor::edit(&begun.body, purpose(), session.output).await?
        }
        false => None,
    };
    let new = NewItem {
        body: draft.as_ref().map_or(body, |draft| draft.text.clone()),
        priority: args.priority,
        labels,
        estimate: args.estimate,
        remaining: args.remaining,
        blocked: args.blocked,
        due: args.due,
        state: args.state,
        sprint,
        milestone: given(args.milestone),
        assignee,
        parent: args.parent.map(|key| key.to_string()),
        template: begun.template,
        ..NewItem::new(begun.item_type, args.title.into_text())
    };
    let creating = async { Ok(session.org(&org).create_item(project.as_str(), &new).await?) };
    let item = match draft {
        Some(draft) => draft.saved(creating).await?,
        None => creating.await?,
    };
    keeping::used_up(path.as_deref(), None, session.output);
    remember_written(&text(&org, &item), session);
    warn_of_undefined(&new.labels, project.as_str(), &org, session).await;
    show_new(&item, &org, session).await
}

/// What the description is written for.
fn purpose() -> Purpose<'static> {
    let again = Some("repeat the command with --body-file".to_owned());
    Purpose { name: "new-item", instead: BY_OPTION, again, begin: None, origin: None }
}

/// Prints a new item, with columns for what it was given.
async fn show_new(item: &Item, org: &str, session: &Session<'_>) -> Result<(), Failure> {
    let named = [
        (!item.labels.is_empty(), More::Labels),
        (item.estimate.is_some(), More::Estimate),
        (item.remaining.is_some(), More::Remaining),
        (item.due.is_some(), More::Due),
        (item.blocked, More::Blocked),
        (item.parent.is_some(), More::Parent),
        (item.sprint.is_some(), More::Sprint),
        (item.milestone.is_some(), More::Milestone),
    ];
    let columns: Vec<_> = named.into_iter().filter(|(named, _)| *named).map(|(_, column)| column).collect();
    show_changed(&columns, item, org, session).await
}

/// What a new item begins with.
struct Begun {
    item_type: ItemType,
    /// Id or name of the template.
    template: Option<String>,
    /// The description of the template, as far as it was read.
    body: String,
}

/// The type of a new item, and its template. A type that is not given is that of the template.
async fn begin_with(
    item_type: Option<ItemType>,
    template: Option<String>,
    project: &ProjectKey,
    org: &str,
    session: &Session<'_>,
) -> Result<Begun, Failure> {
    match (item_type, template) {
        (Some(item_type), template) => Ok(Begun { item_type, template, body: String::new() }),
        (None, Some(wanted)) => {
            let found = template::find(&wanted, project, org, session).await?;
            Ok(Begun { item_type: found.item_type, template: Some(found.id), body: found.body })
        }
        (None, None) => {
            let item_type = usual_type(project, org, session).await?;
            Ok(Begun { item_type, template: None, body: String::new() })
        }
    }
}

/// The type of the project's only template; else what a person at a terminal answers, for whom a task is usual.
async fn usual_type(project: &ProjectKey, org: &str, session: &Session<'_>) -> Result<ItemType, Failure> {
    let templates = session.org(org).templates(project.as_str()).await.unwrap_or_default();
    if let [only] = &templates[..] {
        return Ok(only.item_type);
    }
    if !session.output.can_ask() || is_for_agent() {
        return Err(
            Failure::rejected("a new item needs a type").hint("give it with --type, or name a --template")
        );
    }
    let parser = item_type();
    let names: Vec<String> =
        parser.possible_values().into_iter().flatten().map(|value| value.get_name().to_owned()).collect();
    loop {
        let answer = session.output.ask(&format!("Kind of work ({}) [task]: ", names.join(", ")))?;
        let named = if answer.is_empty() { "task".to_owned() } else { answer.to_lowercase() };
        if let Ok(meant) = parser.parse_ref(&clap::Command::new("type"), None, named.as_ref()) {
            return Ok(meant);
        }
    }
}
