//! `svc auth setup`.

use svc_api::identity::{NewOrganization, Register};

use super::login;
use super::password::{self, Lifetime};
use crate::failure::Failure;
use crate::output::Output;
use crate::session::{connect_for_password, required_url};
use crate::settings::Settings;

/// Set up a new instance: create its first account and organization, and sign in.
///
/// It asks for a password, or reads it from stdin.
#[derive(clap::Args)]
#[command(
    override_usage = "svc auth setup --url <URL> --email <EMAIL> --name <NAME> --org <SLUG> --org-name <NAME>",
    after_help = "\
Example:
  svc auth setup --url http://127.0.0.1:8080 --email ada@example.org --name 'Ada Lovelace' \\
    --org acme --org-name 'Acme Ltd'"
)]
pub(crate) struct Args {
    /// Address of the account
    #[arg(long, value_name = "EMAIL")]
    email: String,
    /// Name, as others see it
    #[arg(long, value_name = "NAME")]
    name: String,
    /// Name of the organization; --org gives its slug
    #[arg(long, value_name = "NAME")]
    org_name: String,
    #[command(flatten)]
    lifetime: Lifetime,
}

pub(super) async fn run(args: Args, settings: &Settings, output: &Output) -> Result<(), Failure> {
    settings.refuse_in_run()?;
    let url = required_url(settings)?;
    let slug = settings.org.as_ref().map(|org| org.value.clone()).ok_or_else(|| {
        Failure::rejected("the organization has no slug").hint("name one with --org, such as --org acme")
    })?;
    let client = connect_for_password(url, settings, output)?;
    if !client.setup_status().await?.needed {
        return Err(Failure::rejected("the instance has its first account already")
            .hint("sign in with `svc auth login`, or ask somebody there for an invitation"));
    }
    let password = password::ask_new(output)?;
    let organization = NewOrganization { slug, name: args.org_name };
    let first = Register { email: args.email, password, display_name: args.name, organization };
    let end = args.lifetime.end()?;
    let token = password::token(&client.register(&first).await?, end, output).await?;
    login::store(url, &token, settings, output).await
}
