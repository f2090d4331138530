//! `svc auth join`.

use svc_api::identity::{AcceptInvitation, InvitationSecret};
use svc_client::Error;

use super::login;
use super::password::{self, Lifetime};
use crate::failure::Failure;
use crate::output::{Output, name};
use crate::session::{Session, connect_for_password};
use crate::settings::Settings;

/// Join an organization from an invitation link.
///
/// If you are new, this creates your account and signs you in. It asks for a password, or reads it from stdin. If you
/// have an account, sign in first.
#[derive(clap::Args)]
#[command(
    override_usage = "svc auth join <LINK> [--name <NAME>]",
    after_help = "\
Example:
  svc auth join 'https://tracker.example/join#...' --name 'Eve Moneypenny'"
)]
pub(crate) struct Args {
    /// The invitation link
    #[arg(value_name = "LINK")]
    link: String,
    /// Your name, as others see it; needed for a new account
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
    #[command(flatten)]
    lifetime: Lifetime,
}

pub(super) async fn run(args: Args, settings: &Settings, output: &Output) -> Result<(), Failure> {
    settings.refuse_in_run()?;
    let Some((url, secret)) = args.link.trim().split_once("/join#") else {
        return Err(Failure::rejected("this is not an invitation link")
            .hint("give the whole link in quotes; it contains /join#"));
    };
    let (url, secret) = (settings.url_flag().unwrap_or(url), secret.to_owned());
    let client = connect_for_password(url, settings, output)?;
    let looked = client.look_at_invitation(&InvitationSecret { secret: secret.clone() }).await;
    let invitation = looked.map_err(unknown)?;
    let (org, preset) = (&invitation.organization, name(&invitation.preset));
    output.say(&format!("{} invites {} to {org} ({preset}).", invitation.invited_by, invitation.email));
    // A link that was passed on by hand does not say whether there is an account.
    let is_signed_in = || {
        Session::open(settings, output).is_ok_and(|session| session.client.base_url() == client.base_url())
    };
    if invitation.has_account || (args.name.is_none() && is_signed_in()) {
        return with_account(secret, client.base_url(), settings, output).await;
    }
    let display_name = args.name.ok_or_else(|| {
        Failure::rejected(format!("a new account of {} needs a name", invitation.email)).hint(format!(
            "give it with --name; if you have an account, sign in first: `svc auth login --url {url} --email <EMAIL>`"
        ))
    })?;
    let password = password::ask_new(output)?;
    let accept = AcceptInvitation { secret, display_name: Some(display_name), password: Some(password) };
    let end = args.lifetime.end()?;
    let token = password::token(&client.join(&accept).await?, end, output).await?;
    login::store(url, &token, settings, output).await
}

/// The failure to find an invitation, as the holder of its link sees it.
fn unknown(error: Error) -> Failure {
    let missing = error.status() == Some(404);
    let failure = Failure::from(error);
    if !missing {
        return failure;
    }
    failure.retold(
        "this invitation link is not valid",
        "check that you copied the whole link; otherwise the invitation was used, withdrawn or sent again: ask for a \
        new link",
    )
}

/// Joins with the account that is signed in.
async fn with_account(
    secret: String,
    url: &str,
    settings: &Settings,
    output: &Output,
) -> Result<(), Failure> {
    let elsewhere = || Failure::not_authenticated("sign in first, with the invited account");
    let session = Session::open(settings, output)
        .map_err(|_| elsewhere().hint(format!("use `svc auth login --url {url} --email <EMAIL>`")))?;
    if session.client.base_url() != url {
        return Err(elsewhere()
            .detail(format!("you are signed in to {}", session.client.base_url()))
            .hint(format!("use `svc auth login --url {url} --email <EMAIL>`")));
    }
    let accept = AcceptInvitation { secret, display_name: None, password: None };
    let accepted = session.client.accept_invitation(&accept).await?;
    if output.json {
        return output.json(&accepted);
    }
    output.say(&format!(
        "Joined. Work there with `svc org use {slug}`, or once with --org {slug}.",
        slug = accepted.organization.slug
    ));
    Ok(())
}
