//! `svc org`.

mod audit;
mod channel;
mod group;
mod scim;

use clap::Subcommand;
use svc_api::identity::{Member, NewOrganization, OrgRole, Organization, UpdateOrganization};
use svc_api::tracker::{Project, ProjectQuery};

use crate::commands::confirm::Confirm;
use crate::commands::new_name::taken;
use crate::failure::Failure;
use crate::output::{Pairs, Table, joined, name, option, when, yes};
use crate::session::Session;
use crate::settings::ConfigFile;

#[derive(Subcommand)]
pub(crate) enum Command {
    List(ListArgs),
    View(ViewArgs),
    #[command(visible_alias = "add")]
    Create(CreateArgs),
    Edit(EditArgs),
    Use(ChooseArgs),
    /// Manage the chats that are told of what happens in the organization
    Channel(channel::Args),
    /// Manage the roles that groups of an identity provider give
    Group(group::Args),
    /// Manage the tokens with which an identity provider writes people and groups (SCIM)
    Scim(scim::Args),
    Audit(audit::Args),
    Leave(LeaveArgs),
    Delete(DeleteArgs),
    Restore(RestoreArgs),
}

pub(crate) async fn run(command: Command, session: &Session<'_>) -> Result<(), Failure> {
    match command {
        Command::List(args) => list(args, session).await,
        Command::View(args) => view(args, session).await,
        Command::Create(args) => create(args, session).await,
        Command::Edit(args) => edit(args, session).await,
        Command::Use(args) => choose(args, session).await,
        Command::Channel(args) => channel::run(args, session).await,
        Command::Group(args) => group::run(args, session).await,
        Command::Scim(args) => scim::run(args, session).await,
        Command::Audit(args) => audit::run(args, session).await,
        Command::Leave(args) => leave(args, session).await,
        Command::Delete(args) => delete(args, session).await,
        Command::Restore(args) => restore(args, session).await,
    }
}

/// List your organizations, with your role in each.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  svc org list
  svc org list --deleted")]
pub(crate) struct ListArgs {
    /// List the organizations that were deleted and can be restored
    #[arg(long)]
    deleted: bool,
}

async fn list(args: ListArgs, session: &Session<'_>) -> Result<(), Failure> {
    if args.deleted {
        let orgs = session.client.deleted_orgs().await?;
        let none = "You have no deleted organizations that can be restored.";
        return session.output.all(&orgs, none, deleted_table);
    }
    let orgs = session.client.orgs().await?;
    session.output.all(&orgs, "There are no organizations that you can see.", table)
}

/// Show an organization: your role, its people and its projects.
///
/// With --json, it prints only the organization.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  svc org view
  svc org view demo --json")]
pub(crate) struct ViewArgs {
    /// Slug of the organization [default: your current one]
    #[arg(value_name = "SLUG")]
    slug: Option<String>,
}

async fn view(args: ViewArgs, session: &Session<'_>) -> Result<(), Failure> {
    let slug = named(args.slug, session).await?;
    let (org, output) = (session.org(&slug), session.output);
    if output.json {
        return output.json(&org.get().await?);
    }
    let query = ProjectQuery::default();
    let (seen, members, projects) = futures::try_join!(org.get(), org.members(), org.projects(&query))?;
    output.pairs(&pairs(&seen, &members, &projects))
}

fn pairs(org: &Organization, members: &[Member], projects: &[Project]) -> Pairs {
    let who = |role: OrgRole| -> Vec<String> {
        let those = members.iter().filter(|member| member.role == role);
        those.map(|member| member.display_name.clone()).collect()
    };
    let keys: Vec<String> = projects.iter().map(|project| project.key.clone()).collect();
    let mut pairs = Pairs::default();
    pairs.add("slug", org.slug.as_str());
    pairs.add("name", org.name.as_str());
    pairs.maybe("read-only", org.read_only.then_some("yes"));
    pairs.add("your role", name(&org.role));
    pairs.add("you start AI work", yes(org.can_operate_factory));
    pairs.add("owners", joined(&who(OrgRole::Owner)));
    pairs.add("admins", joined(&who(OrgRole::Admin)));
    pairs.add("members", members.len().to_string());
    pairs.add("projects", joined(&keys));
    pairs.add("version", org.version.to_string());
    pairs
}

/// Create an organization. You become its Owner.
///
/// A token that is bound to one organization cannot create another.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  svc org create acme --name 'Acme Ltd'")]
pub(crate) struct CreateArgs {
    /// Slug for addresses, which cannot be changed later: 2 to 40 lower-case letters, digits and hyphens
    #[arg(value_name = "NEW_SLUG")]
    slug: String,
    /// Name shown to people
    #[arg(long)]
    name: String,
}

async fn create(args: CreateArgs, session: &Session<'_>) -> Result<(), Failure> {
    let new = NewOrganization { slug: args.slug, name: args.name };
    let created = session.client.create_org(&new).await;
    let next = "choose another slug; one that you do not belong to may have it";
    let org = created.map_err(|error| taken(error, "an organization", &new.slug, next))?;
    session.output.one(&org, table)?;
    session
        .output
        .say(&format!("Work in it with `svc org use {slug}`, or once with --org {slug}.", slug = org.slug));
    Ok(())
}

/// Rename an organization, or make it read-only and writable again.
///
/// Owners and Admins can rename it, Owners can make it read-only. If someone else saves in between, nothing is
/// changed (exit code 3).
#[derive(clap::Args)]
#[command(
    override_usage = "svc org edit [OPTIONS] [SLUG]",
    after_help = "\
Examples:
  svc org edit --name 'Acme Ltd'
  svc org edit acme --read-only true"
)]
pub(crate) struct EditArgs {
    /// Slug of the organization [default: your current one]
    #[arg(value_name = "SLUG")]
    slug: Option<String>,
    #[command(flatten)]
    change: Change,
    #[command(flatten)]
    confirm: Confirm,
}

#[derive(clap::Args)]
#[group(required = true, multiple = true)]
struct Change {
    /// New name
    #[arg(long)]
    name: Option<String>,
    /// Whether the organization is read-only
    #[arg(long, value_name = "BOOL")]
    read_only: Option<bool>,
}

async fn edit(args: EditArgs, session: &Session<'_>) -> Result<(), Failure> {
    let slug = named(args.slug, session).await?;
    if args.change.read_only == Some(true) && args.confirm.asks(session.output) {
        // Says so at once where there is none.
        session.org(&slug).get().await?;
        let question = format!(
            "Make {slug} read-only? Nobody can change anything in it until an Owner makes it \
        writable again."
        );
        args.confirm.sure_on_terminal(&question, session.output)?;
    }
    let Change { name, read_only } = args.change;
    let version = session.org(&slug).get().await?.version;
    let org = session.org(&slug).update(&UpdateOrganization { version, name, read_only }).await?;
    session.output.one(&org, table)
}

/// Set the default organization, for commands without --org.
///
/// The default is stored with your current account. Each organization keeps its own default project.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  svc org use acme
  svc org use --unset")]
pub(crate) struct ChooseArgs {
    /// Slug of the organization
    #[arg(value_name = "SLUG", required_unless_present = "unset")]
    slug: Option<String>,
    /// Remove the default
    #[arg(long, conflicts_with = "slug")]
    unset: bool,
}

async fn choose(args: ChooseArgs, session: &Session<'_>) -> Result<(), Failure> {
    let slug = match args.slug {
        Some(slug) => Some(session.org(&slug).get().await?.slug),
        None => None,
    };
    let chosen = slug.clone();
    session.remember(ConfigFile::locate()?, |account| account.work_in(chosen))?;
    session.output.say(&match slug {
        Some(slug) => format!("The default organization is now {slug}."),
        None => "There is no default organization now.".to_owned(),
    });
    Ok(())
}

/// Leave an organization and all its projects. To come back, you need a new invitation.
///
/// The last Owner cannot leave (exit code 3).
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  svc org leave acme")]
pub(crate) struct LeaveArgs {
    /// Slug of the organization
    #[arg(value_name = "SLUG")]
    slug: String,
    #[command(flatten)]
    confirm: Confirm,
}

async fn leave(args: LeaveArgs, session: &Session<'_>) -> Result<(), Failure> {
    let slug = args.slug;
    if args.confirm.asks(session.output) {
        // Says so at once where there is none.
        session.org(&slug).get().await?;
    }
    args.confirm.sure(&format!("Leave {slug} and all its projects?"), session.output)?;
    session.org(&slug).leave().await?;
    session.output.say(&format!("left {slug}"));
    if session.is_stored() {
        session.remember(ConfigFile::locate()?, |account| account.leave(&slug))?;
    }
    Ok(())
}

/// Delete an organization and everything in it. It can be restored for 30 days.
///
/// Nobody can open it any more, its runs are cancelled, and its slug stays reserved for the 30 days. Only Owners can
/// delete and restore an organization.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  svc org delete acme
  svc org delete acme --yes")]
pub(crate) struct DeleteArgs {
    /// Slug of the organization
    #[arg(value_name = "SLUG")]
    slug: String,
    #[command(flatten)]
    confirm: Confirm,
}

/// Restore a deleted organization with everything in it.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  svc org list --deleted
  svc org restore acme")]
pub(crate) struct RestoreArgs {
    /// Slug of the organization
    #[arg(value_name = "SLUG")]
    slug: String,
}

async fn delete(args: DeleteArgs, session: &Session<'_>) -> Result<(), Failure> {
    // Says so at once where there is none.
    let slug = session.org(&args.slug).get().await?.slug;
    if args.confirm.asks(session.output) {
        session.output.say("Its queued and running runs are cancelled. It can be restored for 30 days.");
    }
    args.confirm.sure_by_name("organization and everything in it", &slug, session.output)?;
    session.org(&slug).delete().await?;
    session.output.say(&format!(
        "deleted the organization {slug}; `svc org restore {slug}` brings it back for 30 days"
    ));
    Ok(())
}

async fn restore(args: RestoreArgs, session: &Session<'_>) -> Result<(), Failure> {
    let org = session.org(&args.slug);
    // Restoring what is not deleted changes nothing: perhaps another one was meant.
    if org.get().await.is_ok() {
        return Err(Failure::not_found(format!("the organization {:?} is not deleted", args.slug))
            .hint("`svc org list --deleted` shows those that are"));
    }
    session.output.one(&org.restore().await?, table)
}

/// The organization that a command names, else the one that is set.
async fn named(slug: Option<String>, session: &Session<'_>) -> Result<String, Failure> {
    match slug {
        Some(slug) => Ok(slug),
        None => session.org_slug().await,
    }
}

/// Organizations, one a row.
fn table(orgs: &[Organization]) -> Table {
    Table::of(orgs)
        .fixed("SLUG", |org| org.slug.as_str())
        .fixed("ROLE", |org| name(&org.role))
        .fixed("AI WORK", |org| yes(org.can_operate_factory))
        .fixed("READ-ONLY", |org| yes(org.read_only))
        .flexible("NAME", |org| org.name.as_str())
        .end()
}

/// Organizations that were deleted, one a row.
fn deleted_table(orgs: &[Organization]) -> Table {
    Table::of(orgs)
        .fixed("SLUG", |org| org.slug.as_str())
        .fixed("ROLE", |org| name(&org.role))
        .fixed("DELETED BY", |org| option(org.deletion.as_ref().map(|deletion| deletion.by.name.as_str())))
        .fixed("RESTORABLE UNTIL", |org| {
            option(org.deletion.as_ref().map(|deletion| when(deletion.restorable_until)).as_deref())
        })
        .flexible("NAME", |org| org.name.as_str())
        .end()
}
