//! `svc factory webhook`: shows the organization's webhook, makes one, or deletes it.

use clap::Subcommand;

use crate::commands::confirm::Confirm;
use crate::failure::Failure;
use crate::output::{Pairs, when};
use crate::session::Session;

/// Show, create or delete the webhook through which a code host reports pull requests.
///
/// With a webhook, items show whether their pull requests are open, merged or closed, and the results of checks and
/// reviews. A playbook can start follow-up runs for failed checks and requested changes
/// (`svc playbook edit --pull-request-follow-ups`). The webhook accepts GitHub's events. You need to be an Owner or
/// Admin of the organization.
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

/// Create the webhook, replacing an earlier one, and print its address and secret. They are shown only this once
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  svc factory webhook create")]
struct Create {
    #[command(flatten)]
    confirm: Confirm,
}

/// Delete the webhook. The code host's deliveries are refused from now on
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
            output.say("There is no webhook. Create one with `svc factory webhook create`.");
            Ok(())
        }
    }
}

async fn create(args: Create, session: &Session<'_>) -> Result<(), Failure> {
    let (org, output) = (session.org_slug().await?, session.output);
    if session.org(&org).code_host().await?.webhook.is_some() {
        let question = "Replace the webhook? The code host then needs the new address and secret.";
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
    session.output.say("Deleted the webhook. Delete it at the code host too.");
    Ok(())
}
