//! `svc refine answer`.

use svc_api::factory::{AnswerRefinement, AnswerTo};

use super::shared::{Which, show};
use crate::failure::Failure;
use crate::session::Session;

/// Answer the questions of an agent, which then refines the item again.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  svc refine answer PRJ-12 --answer '1=Safari and Firefox' --answer '2=Yes'
  svc refine answer PRJ-12 -m 'Find out from the code.'")]
pub(crate) struct Args {
    #[command(flatten)]
    which: Which,
    /// Number of a question and its answer; repeat it for more
    #[arg(short, long = "answer", value_name = "NUMBER=TEXT", value_parser = answer, required_unless_present = "message")]
    answers: Vec<AnswerTo>,
    /// Additional note
    #[arg(short, long, value_name = "TEXT")]
    message: Option<String>,
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    let (org, key) = (session.org_slug().await?, args.which.key.to_string());
    let version = session.org(&org).refinement(&key).await?.version;
    let answers = AnswerRefinement { version, answers: args.answers, note: args.message };
    let refinement = session.org(&org).answer_refinement(&key, &answers).await?;
    show(&refinement, session.output)
}

/// Reads the number of a question and its answer: `2=Yes.`
fn answer(text: &str) -> Result<AnswerTo, String> {
    let (number, answer) = text
        .split_once('=')
        .ok_or("write the number of the question, an equals sign and the answer, such as 2=Yes")?;
    let question =
        number.trim().parse().map_err(|_| format!("{number:?} is not the number of a question"))?;
    Ok(AnswerTo { question, answer: answer.to_owned() })
}
