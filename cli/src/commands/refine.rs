//! `svc refine`.

use std::path::PathBuf;

use clap::Subcommand;
use svc_api::factory::{
    AnswerRefinement, AnswerTo, AskForChanges, ConfirmRefinement, Harness, Refinement, StartRefinement,
    SubmitRefinement,
};
use svc_domain::ids::ItemKey;

use crate::commands::files::read_text;
use crate::failure::Failure;
use crate::keys::item_key;
use crate::output::{Output, Pairs, joined, name};
use crate::session::Session;
use crate::values::harness;

#[derive(Subcommand)]
pub(crate) enum Command {
    Start(StartArgs),
    /// Show the refinement of an item: its questions, its proposal, and what to do next.
    #[command(after_help = "\
Example:
  svc refine view PRJ-12")]
    View(Which),
    Answer(AnswerArgs),
    Changes(ChangesArgs),
    /// Confirm the proposal: the item gets the proposed title and description, and moves to the state that the project's
    /// refinement settings name.
    #[command(after_help = "\
Example:
  svc refine confirm PRJ-12")]
    Confirm(Which),
    Submit(SubmitArgs),
}

pub(crate) async fn run(command: Command, session: &Session<'_>) -> Result<(), Failure> {
    match command {
        Command::Start(args) => start(args, session).await,
        Command::View(which) => view(which, session).await,
        Command::Answer(args) => answer(args, session).await,
        Command::Changes(args) => changes(args, session).await,
        Command::Confirm(which) => confirm(which, session).await,
        Command::Submit(args) => submit(args, session).await,
    }
}

/// Have an agent refine an item: it asks questions, or proposes a better title and description.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  svc refine start PRJ-12
  svc refine start PRJ-12 --harness harness_2")]
pub(crate) struct StartArgs {
    #[command(flatten)]
    which: Which,
    /// Name or id of the runner to use [default: any]
    #[arg(long)]
    runner: Option<String>,
    /// Harness [default: that of the default playbook]
    #[arg(long, value_parser = harness(), ignore_case = true)]
    harness: Option<Harness>,
}

async fn start(args: StartArgs, session: &Session<'_>) -> Result<(), Failure> {
    let (org, key) = (session.org_slug().await?, args.which.key.to_string());
    let start = StartRefinement { runner_id: args.runner, harness: args.harness };
    let refinement = session.org(&org).start_refinement(&key, &start).await?;
    show(&refinement, session.output)
}

async fn view(which: Which, session: &Session<'_>) -> Result<(), Failure> {
    let (org, key) = (session.org_slug().await?, which.key.to_string());
    let refinement = session.org(&org).refinement(&key).await?;
    show(&refinement, session.output)
}

/// Answer the questions of an agent, which then refines the item again.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  svc refine answer PRJ-12 --answer '1=Safari and Firefox' --answer '2=Yes'
  svc refine answer PRJ-12 -m 'Find out from the code.'")]
pub(crate) struct AnswerArgs {
    #[command(flatten)]
    which: Which,
    /// Number of a question and its answer; repeat it for more
    #[arg(short, long = "answer", value_name = "NUMBER=TEXT", value_parser = numbered, required_unless_present = "message")]
    answers: Vec<AnswerTo>,
    /// Additional note
    #[arg(short, long, value_name = "TEXT")]
    message: Option<String>,
}

async fn answer(args: AnswerArgs, session: &Session<'_>) -> Result<(), Failure> {
    let (org, key) = (session.org_slug().await?, args.which.key.to_string());
    let version = session.org(&org).refinement(&key).await?.version;
    let answers = AnswerRefinement { version, answers: args.answers, note: args.message };
    let refinement = session.org(&org).answer_refinement(&key, &answers).await?;
    show(&refinement, session.output)
}

/// Reads the number of a question and its answer: `2=Yes.`
fn numbered(text: &str) -> Result<AnswerTo, String> {
    let (number, answer) = text
        .split_once('=')
        .ok_or("write the number of the question, an equals sign and the answer, such as 2=Yes")?;
    let question =
        number.trim().parse().map_err(|_| format!("{number:?} is not the number of a question"))?;
    Ok(AnswerTo { question, answer: answer.to_owned() })
}

/// Ask for changes to the proposal.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  svc refine changes PRJ-12 -m 'Shorter, and name the browsers.'")]
pub(crate) struct ChangesArgs {
    #[command(flatten)]
    which: Which,
    /// What should change
    #[arg(short, long, value_name = "TEXT", allow_hyphen_values = true)]
    message: String,
}

async fn changes(args: ChangesArgs, session: &Session<'_>) -> Result<(), Failure> {
    let (org, key) = (session.org_slug().await?, args.which.key.to_string());
    let version = session.org(&org).refinement(&key).await?.version;
    let changes = AskForChanges { version, note: args.message };
    let refinement = session.org(&org).ask_for_changes(&key, &changes).await?;
    show(&refinement, session.output)
}

async fn confirm(which: Which, session: &Session<'_>) -> Result<(), Failure> {
    let (org, key) = (session.org_slug().await?, which.key.to_string());
    let seen = session.org(&org).refinement(&key).await?;
    let confirm = ConfirmRefinement { version: seen.version, item_version: seen.item_version };
    let refinement = session.org(&org).confirm_refinement(&key, &confirm).await?;
    show(&refinement, session.output)
}

/// Submit a refined item. For agents, with the token of their refine run.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  svc refine submit PRJ-12 --file refinement.json")]
pub(crate) struct SubmitArgs {
    #[command(flatten)]
    which: Which,
    /// File with the questions and the proposal as JSON; - reads stdin
    #[arg(long, value_name = "PATH")]
    file: PathBuf,
}

async fn submit(args: SubmitArgs, session: &Session<'_>) -> Result<(), Failure> {
    let (org, key) = (session.org_slug().await?, args.which.key.to_string());
    let text = read_text(&args.file)?;
    let made: SubmitRefinement = serde_json::from_str(&text).map_err(|error| {
        Failure::rejected(format!("the file is not a refinement: {error}"))
            .hint(r#"write {"questions": ["..."], "proposal": {"title": "...", "description": "..."}}"#)
    })?;
    let refinement = session.org(&org).submit_refinement(&key, &made).await?;
    show(&refinement, session.output)
}

/// The item that is refined.
#[derive(clap::Args)]
pub(crate) struct Which {
    /// Key of the item
    #[arg(value_name = "ITEM_KEY", value_parser = item_key)]
    key: ItemKey,
}

/// Shows a refinement: its state, its questions, its proposal, and what to do next.
fn show(refinement: &Refinement, output: &Output) -> Result<(), Failure> {
    if output.json {
        return output.json(refinement);
    }
    output.pairs(&pairs(refinement))?;
    if !refinement.questions.is_empty() {
        output.text("\nQuestions:")?;
        for asked in &refinement.questions {
            output.text(&format!("  {}. {}", asked.number, asked.question))?;
        }
    }
    if let Some(proposal) = &refinement.proposal {
        output.text(&format!("\nProposal: {}\n\n{}", proposal.title, proposal.description.trim_end()))?;
    }
    if let Some(next) = next(refinement) {
        output.say(&next);
    }
    Ok(())
}

fn pairs(refinement: &Refinement) -> Pairs {
    let mut pairs = Pairs::default();
    pairs.add("item", refinement.item.as_str());
    pairs.add("status", name(&refinement.status));
    pairs.add("agent", refinement.agent.name.as_str());
    pairs.add("run", refinement.run.as_str());
    pairs.add("round", (refinement.rounds.len() + refinement.forgotten_rounds as usize).to_string());
    if let Some(proposal) = &refinement.proposal {
        pairs.maybe("proposed priority", proposal.priority.as_ref().map(name));
        let labels =
            proposal.labels.as_ref().map(|labels| joined(&labels.iter().cloned().collect::<Vec<_>>()));
        pairs.maybe("proposed labels", labels);
    }
    pairs.maybe("confirmed by", refinement.confirmed_by.as_ref().map(|person| person.name.as_str()));
    pairs
}

fn next(refinement: &Refinement) -> Option<String> {
    use svc_api::factory::RefinementStatus as Status;
    let key = &refinement.item;
    Some(match refinement.status {
        Status::Running => {
            format!("The agent is at work. Follow it with `svc run logs {} --follow`", refinement.run)
        }
        Status::Questions => format!("Answer with: svc refine answer {key} --answer '1=...'"),
        Status::Proposed => format!(
            "Confirm with `svc refine confirm {key}`, or ask for changes with `svc refine changes {key} -m '...'`"
        ),
        Status::Failed => format!("The run submitted nothing. Try again with `svc refine start {key}`"),
        Status::Confirmed | Status::Unknown => return None,
    })
}
