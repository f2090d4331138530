//! From a command line that was read to the command that does it.

use std::process::ExitCode;

use clap::CommandFactory as _;
use clap::error::ErrorKind;
use tokio::runtime::{Builder, Runtime};

use crate::args::{Cli, Command, Connected};
use crate::asking::{self, Line};
use crate::commands::{
    agent, alias, api, attachment, auth, browse, comment, completions, factory, import, inbox, intake,
    invite, item, label, man, mcp, member, milestone, org, playbook, project, refine, rule, run, runner,
    schedule, search, sprint, status, team, template, token, view, webhook, wiki, workflow,
};
use crate::explaining::explained;
use crate::failure::Failure;
use crate::output::Output;
use crate::placing;
use crate::session::{Session, required_url};
use crate::settings::Settings;
use crate::suggesting::suggested;
use crate::{aliasing, scripting};

/// Does what the command line says.
pub(crate) fn run(cli: Cli, output: &Output) -> Result<ExitCode, Failure> {
    let Cli { globals, command } = cli;
    match command {
        Command::Auth(command) => one_thread()?.block_on(auth::run(command, &globals, output))?,
        Command::Connected(command) => {
            let session = Session::open(&Settings::load(&globals)?, output)?;
            finished(connected(*command, &session), &session)?;
        }
        Command::Runner(runner::Command::Machine(command)) => {
            if let Some((project, org)) = command.maps() {
                one_thread()?.block_on(runner::check_project(&project, org, &globals, output))?;
            }
            return Ok(svc_runner::cli::run(command));
        }
        Command::Runner(runner::Command::Organization(command)) => {
            let session = Session::open(&Settings::load(&globals)?, output)?;
            finished(runner::run(command, &session), &session)?;
        }
        Command::Mcp(mcp::Args { command: None }) => {
            let session = Session::open(&Settings::load(&globals)?, output)?;
            one_thread()?.block_on(mcp::serve(&session))?;
        }
        Command::Mcp(mcp::Args { command: Some(mcp::Command::Config(args)) }) => {
            mcp::config(&args, required_url(&Settings::load(&globals)?)?, output)?;
        }
        Command::Alias(command) => alias::run(command, is_command, output)?,
        Command::Completions(args) => completions::run(args, scripting::script, output)?,
        Command::Man(args) => man::run(&args, placing::command(), output)?,
    }
    Ok(ExitCode::SUCCESS)
}

/// Reads the command line; a person is asked for what it lacks.
///
/// # Errors
/// It is none, or help was asked for: the exit code, when everything has been said.
pub(crate) fn read() -> Result<Line, ExitCode> {
    let error = match placing::parsed() {
        Ok(cli) => return Ok(Line { cli, drafts: Vec::new() }),
        Err(error) => error,
    };
    let (output, words) = (Output::plain(), aliasing::words());
    let asked = one_thread().and_then(|runtime| runtime.block_on(asking::completed(error, words, &output)));
    match asked {
        Ok(Ok(line)) => Ok(line),
        Ok(Err(error)) => Err(not_a_command(suggested(error))),
        Err(failure) => {
            output.failure(&failure);
            Err(failure.exit_code())
        }
    }
}

/// Whether this is a command or another name of one.
pub(crate) fn is_command(name: &str) -> bool {
    let mut commands = Cli::command();
    commands.build();
    commands.find_subcommand(name).is_some()
}

/// Prints the help that was asked for, or what is wrong with the command line.
fn not_a_command(error: clap::Error) -> ExitCode {
    if error.kind() == ErrorKind::DisplayHelp {
        let in_pages = aliasing::words().iter().all(|word| word != "--no-pager");
        let shown = one_thread()
            .and_then(|runtime| runtime.block_on(Output::plain().help(&error.render(), in_pages)));
        return shown.map_or_else(|failure| failure.exit_code(), |()| ExitCode::SUCCESS);
    }
    error.exit()
}

/// Waits for a command that asks an instance, and explains why it failed.
fn finished(
    command: impl Future<Output = Result<(), Failure>>,
    session: &Session<'_>,
) -> Result<(), Failure> {
    one_thread()?.block_on(async {
        match command.await {
            Err(failure) => Err(explained(failure, session).await),
            done => done,
        }
    })
}

/// Does what needs an instance.
async fn connected(command: Connected, session: &Session<'_>) -> Result<(), Failure> {
    match command {
        Connected::Org(command) => org::run(command, session).await,
        Connected::Member(command) => member::run(command, session).await,
        Connected::Invite(command) => invite::run(command, session).await,
        Connected::Inbox(command) => inbox::run(command, session).await,
        Connected::Token(command) => token::run(command, session).await,
        Connected::Project(command) => project::run(command, session).await,
        Connected::Workflow(command) => workflow::run(command, session).await,
        Connected::Label(command) => label::run(command, session).await,
        Connected::Template(command) => template::run(command, session).await,
        Connected::Intake(command) => intake::run(command, session).await,
        Connected::View(command) => view::run(command, session).await,
        Connected::Team(command) => team::run(command, session).await,
        Connected::Item(command) => item::run(command, session).await,
        Connected::Comment(command) => comment::run(command, session).await,
        Connected::Attachment(command) => attachment::run(command, session).await,
        Connected::Run(command) => run::run(command, session).await,
        Connected::Agent(command) => agent::run(command, session).await,
        Connected::Playbook(command) => playbook::run(command, session).await,
        Connected::Refine(command) => refine::run(command, session).await,
        Connected::Rule(command) => rule::run(command, session).await,
        Connected::Schedule(command) => schedule::run(command, session).await,
        Connected::Webhook(command) => webhook::run(command, session).await,
        Connected::Factory(command) => factory::run(command, session).await,
        Connected::Milestone(command) => milestone::run(command, session).await,
        Connected::Sprint(command) => sprint::run(command, session).await,
        Connected::Wiki(command) => wiki::run(command, session).await,
        Connected::Import(args) => import::run(args, session).await,
        Connected::Search(args) => search::run(args, session).await,
        Connected::Status(args) => status::run(args, session).await,
        Connected::Browse(args) => browse::run(args, session).await,
        Connected::Api(args) => api::run(args, session).await,
    }
}

/// A command makes one request after the other.
fn one_thread() -> Result<Runtime, Failure> {
    Builder::new_current_thread().enable_all().build().map_err(|error| Failure::io("cannot start", &error))
}
