//! `svc auth status`.

use jiff::Timestamp;
use serde::Serialize;
use svc_api::identity::Me;

use crate::explaining::explained;
use crate::failure::Failure;
use crate::output::{Output, Pairs, joined, when};
use crate::session::Session;
use crate::settings::{Setting, Settings};

/// Show who you are, where, and what the token may do.
///
/// It asks the instance, so it also tells you whether the token still works.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  svc auth status")]
pub(crate) struct Args {}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Status<'a> {
    url: &'a str,
    url_source: String,
    token_source: String,
    org: Option<&'a str>,
    project: Option<&'a str>,
    /// When the token stops working; absent where it never does, or where the token may not know.
    #[serde(skip_serializing_if = "Option::is_none")]
    expires_at: Option<Timestamp>,
    me: &'a Me,
}

pub(super) async fn run(Args {}: Args, settings: &Settings, output: &Output) -> Result<(), Failure> {
    let session = Session::open(settings, output)?;
    let me = match session.client.me().await {
        Err(error) => return Err(explained(error.into(), &session).await),
        Ok(me) => me,
    };
    let status = Status {
        url: session.client.base_url(),
        url_source: origin(settings.url.as_ref()),
        token_source: origin(settings.token.as_ref()),
        org: settings.org.as_ref().map(|org| org.value.as_str()),
        project: settings.project.as_ref().map(|project| project.value.as_str()),
        expires_at: expiry(&session).await,
        me: &me,
    };
    if output.json { output.json(&status) } else { output.pairs(&pairs(&status)) }
}

/// When the token of the session stops working, as far as it may know.
async fn expiry(session: &Session<'_>) -> Option<Timestamp> {
    let tokens = session.client.tokens().await.ok()?;
    tokens.into_iter().find(|token| token.current)?.expires_at
}

fn pairs(status: &Status<'_>) -> Pairs {
    let Me { display_name, email, agent, scopes, organizations, .. } = status.me;
    let account = match email {
        Some(email) => format!("{display_name} <{email}>"),
        None if *agent => format!("{display_name} (agent)"),
        None => display_name.clone(),
    };
    let orgs: Vec<_> = organizations.iter().map(|org| org.slug.clone()).collect();
    let mut pairs = Pairs::default();
    pairs.add("instance", format!("{} ({})", status.url, status.url_source));
    pairs.add("account", account);
    pairs.add("token", format!("from {}", status.token_source));
    pairs.maybe("expires", status.expires_at.map(when));
    pairs.add("scopes", joined(scopes));
    pairs.add("organizations", joined(&orgs));
    pairs.maybe("working in", status.org);
    pairs.maybe("project", status.project);
    pairs
}

fn origin(setting: Option<&Setting>) -> String {
    setting.map_or_else(|| "nowhere".to_owned(), |setting| setting.source.to_string())
}
