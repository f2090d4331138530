//! `svc org scim`: the tokens with which an identity provider writes people and groups.

use clap::Subcommand;
use svc_api::identity::{NewScimToken, ScimToken};

use crate::commands::confirm::Confirm;
use crate::commands::named::{Named, pick};
use crate::commands::new_name::NewName;
use crate::failure::Failure;
use crate::output::{Column, Table, when, yes};
use crate::session::Session;

#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    /// List the tokens, oldest first (Owners and Admins)
    #[command(after_help = "\
Example:
  svc org scim list")]
    List,
    #[command(visible_alias = "add")]
    Create(Create),
    #[command(visible_aliases = ["delete", "remove"])]
    Revoke(Revoke),
}

/// Create a token and print it, with the address to enter at the identity provider (Owners). It is shown only this once
///
/// It works as long as you are an Owner of the organization.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  svc org scim create Okta")]
struct Create {
    #[command(flatten)]
    name: NewName,
}

/// Revoke a token. It stops working immediately; people and groups that it wrote stay (Owners)
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  svc org scim revoke Okta")]
struct Revoke {
    /// Name or id of the token
    #[arg(value_name = "TOKEN")]
    wanted: String,
    #[command(flatten)]
    confirm: Confirm,
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    let org = session.org_slug().await?;
    let output = session.output;
    match args.what {
        What::List => {
            let tokens = session.org(&org).scim_tokens().await?;
            output.all(&tokens, "There are no SCIM tokens.", table)
        }
        What::Create(Create { name }) => {
            let new = NewScimToken { name: name.into_text() };
            let created = session.org(&org).create_scim_token(&new).await?;
            if output.json {
                return output.json(&created);
            }
            output.line(&created.secret)?;
            output.say(&format!("Enter this address at the identity provider: {}", created.address));
            output.say("The token is shown only once. Revoke it with `svc org scim revoke`.");
            Ok(())
        }
        What::Revoke(Revoke { wanted, confirm }) => {
            let tokens = session.org(&org).scim_tokens().await?;
            let token =
                pick("SCIM token", &wanted, tokens, false, |one| Named { id: &one.id, name: &one.name });
            let ScimToken { id, name, .. } = token?;
            confirm.sure(&format!("Revoke the SCIM token {name:?} ({id})?"), output)?;
            session.org(&org).revoke_scim_token(&id).await?;
            output.say(&format!("revoked {name:?} ({id})"));
            Ok(())
        }
    }
}

fn table(tokens: &[ScimToken]) -> Table {
    let mut table = Table::new([
        Column::id("ID"),
        Column::fixed("CREATED"),
        Column::flexible("BY"),
        Column::fixed("WORKS"),
        Column::flexible("NAME"),
    ]);
    for token in tokens {
        table.row([
            token.id.as_str().into(),
            when(token.created_at).into(),
            token.by.as_deref().unwrap_or("-").into(),
            yes(token.works).into(),
            token.name.as_str().into(),
        ]);
    }
    table
}
