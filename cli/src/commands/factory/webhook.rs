//! `svc factory webhook`: shows the organization's webhook, makes one, or deletes it.

use clap::Subcommand;

use crate::commands::confirm::Confirm;
use crate::failure::Failure;
use crate::output::{Pairs, when};
use crate::session::Session;

/// Show, make or delete the webhook by which a code host tells what becomes of pull requests.
///
/// With it, items show whether their pull requests are open, merged or closed, and what checks and reviews say.
/// Playbooks can have failed checks and requested changes start follow-ups (`svc playbook edit
/// --pull-request-follow-ups`). The webhook speaks GitHub's language. You need to be an Admin of the organization.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  svc factory webhook
  svc factory webhook create
  svc factory webhook delete --yes")]
pub(crate) struct Args {
    #[command(subcommand)]
    what: Option<What>,
}

#[derive(Subcommand)]
enum What {
    Create(Create),
    Delete(Delete),
}

/// Make the webhook, in place of the one before, and print its address and secret. They are shown only this once
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  svc factory webhook create")]
struct Create {
    #[command(flatten)]
    confirm: Confirm,
}

/// Delete the webhook: what the code host delivers to it is refused from now on
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  svc factory webhook delete --yes")]
struct Delete {
    #[command(flatten)]
    confirm: Confirm,
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    match args.what {
        None => show(session).await,
        Some(What::Create(args)) => create(args, session).await,
        Some(What::Delete(args)) => delete(args, session).await,
    }
}

async fn show(session: &Session<'_>) -> Result<(), Failure> {
    let org = session.org_slug().await?;
    let webhook = session.org(&org).code_host().await?.webhook;
    let output = session.output;
    if output.json {
        return output.json(&webhook);
    }
    match webhook {
        Some(webhook) => {
            let mut pairs = Pairs::default();
            pairs.add("created", when(webhook.created_at));
            pairs.add("by", webhook.created_by.name);
            output.pairs(&pairs)
        }
        None => {
            output.say("There is no webhook. `svc factory webhook create` makes one.");
            Ok(())
        }
    }
}

async fn create(args: Create, session: &Session<'_>) -> Result<(), Failure> {
    let (org, output) = (session.org_slug().await?, session.output);
    if session.org(&org).code_host().await?.webhook.is_some() {
        let question = "Replace the webhook? The code host needs the new address and secret to go on.";
        args.confirm.sure(question, output)?;
    }
    let made = session.org(&org).create_webhook().await?;
    if output.json {
        return output.json(&made);
    }
    output.say(
        "Give these to the code host: content type application/json, and the events pull requests, pull request \
         reviews, check runs and check suites. They are shown only this once.",
    );
    let mut pairs = Pairs::default();
    pairs.add("address", made.url);
    pairs.add("secret", made.secret);
    output.pairs(&pairs)
}

async fn delete(args: Delete, session: &Session<'_>) -> Result<(), Failure> {
    let org = session.org_slug().await?;
    if args.confirm.asks(session.output) && session.org(&org).code_host().await?.webhook.is_none() {
        return Err(Failure::not_found("there is no webhook"));
    }
    args.confirm.sure("Delete the webhook?", session.output)?;
    session.org(&org).delete_webhook().await?;
    session.output.say("The webhook is deleted. Delete it at the code host too.");
    Ok(())
}
