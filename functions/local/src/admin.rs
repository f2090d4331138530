//! `svc-server admin`: accounts, organizations and the audit log of the instance, on the store itself.

use std::sync::Arc;

use svc_app::administration::{self, AdminCaller, ListedAccount, ListedOrg};
use svc_app::identity::AuditFilter;
use svc_app::{App, Error};
use svc_boot::open;
use svc_domain::mail::said;
use svc_domain::refusal::Refusal;

use crate::args::{AdminCommand, Args};
use crate::existing;
use crate::failure::Failure;

/// Lines of the audit log that are read at once.
const AT_ONCE: usize = 200;

/// Carries a command out, and prints what came of it.
///
/// # Errors
/// That there is no such account; what keeps the store from being opened, read or written.
pub async fn admin(args: &Args, command: AdminCommand) -> Result<(), Failure> {
    let opened = open(&existing::config(args)?).await?;
    let done = carry_out(&opened.app, command).await;
    opened.close().await;
    print!("{}", done?);
    Ok(())
}

async fn carry_out(app: &Arc<App>, command: AdminCommand) -> Result<String, Failure> {
    let by = AdminCaller::Console;
    let named = async |email: String| {
        let found = administration::account_of_address(app, by, &email).await;
        found.map_err(|error| no_account(error, &email))
    };
    Ok(match command {
        AdminCommand::Users { text } => {
            let found = administration::accounts(app, by, &text, 0, usize::MAX).await?;
            found.items.iter().map(account).collect()
        }
        AdminCommand::Disable { email } => {
            account(&administration::disable_account(app, by, named(email).await?).await?)
        }
        AdminCommand::Enable { email } => {
            account(&administration::enable_account(app, by, named(email).await?).await?)
        }
        AdminCommand::SignOut { email } => {
            account(&administration::sign_out_account(app, by, named(email).await?).await?)
        }
        AdminCommand::Orgs { text } => {
            let found = administration::orgs(app, by, &text, 0, usize::MAX).await?;
            found.items.iter().map(org).collect()
        }
        AdminCommand::Audit => audit(app).await?,
    })
}

/// What a person is told who named an account that there is not.
pub(crate) fn no_account(error: Error, email: &str) -> Failure {
    match error {
        Error::Refused(Refusal::NotFound) => format!("no account has the address {email}").into(),
        error => error.into(),
    }
}

/// A line on an account. Names are other people's words: they stay on their line.
fn account(listed: &ListedAccount) -> String {
    let ListedAccount { user, disabled_at, last_sign_in, orgs, is_instance_admin } = listed;
    let orgs: Vec<String> = orgs.iter().map(|(slug, role)| format!("{slug} ({role})")).collect();
    let state = match (disabled_at, is_instance_admin) {
        (Some(at), _) => format!("disabled since {at:.0}"),
        (None, true) => "admin of this instance".to_owned(),
        (None, false) => "active".to_owned(),
    };
    let last = last_sign_in.map_or_else(|| "never".to_owned(), |at| format!("{at:.0}"));
    let (email, name) = (said(&user.email), said(&user.display_name));
    format!("{email}  {name}  {state}  last sign-in {last}  {}\n", orgs.join(", "))
}

/// A line on an organization.
fn org(listed: &ListedOrg) -> String {
    let ListedOrg { org, owners, members, items, stored_bytes } = listed;
    let plan = org.plan.map_or("none", svc_domain::identity::Plan::as_str);
    let (name, owners) = (said(&org.name), owners.join(", "));
    format!(
        "{}  {name}  owners {owners}  {members} members  {items} items  {stored_bytes} bytes  plan {plan}\n",
        org.slug
    )
}

/// The audit log of the instance as lines of JSON.
async fn audit(app: &App) -> Result<String, Failure> {
    let (mut lines, mut filter) = (String::new(), AuditFilter::default());
    loop {
        let found =
            administration::instance_audit(app, AdminCaller::Console, filter.clone(), AT_ONCE).await?;
        for (_, line) in &found.lines {
            lines.push_str(&serde_json::to_string(line)?);
            lines.push('\n');
        }
        filter.before = found.next;
        if filter.before.is_none() {
            return Ok(lines);
        }
    }
}
