//! `svc browse`: the web address of something, opened in a browser.

use std::process::{Command, Stdio};

use svc_domain::ids::{ItemKey, ProjectKey};

use crate::failure::Failure;
use crate::keys::{item_key, project_key};
use crate::session::Session;

/// Programs that open an address, where BROWSER names none.
const OPENERS: [&str; 3] = ["xdg-open", "open", "wslview"];

/// Open an item, a project or the organization in a browser
///
/// Without a terminal, or with --print, it prints the address.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  svc browse PRJ-12
  svc browse PRJ
  svc browse PRJ-12 --print")]
pub(crate) struct Args {
    /// Key of an item or project [default: the organization]
    #[arg(value_name = "ITEM_KEY")]
    what: Option<String>,
    /// Print the address instead of opening it
    #[arg(long)]
    print: bool,
}

pub(crate) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    let org = session.org_slug().await?;
    show(&path(args.what.as_deref())?, args.print, &org, session)
}

/// Opens an item in a browser, or prints its address.
pub(super) async fn item(key: &ItemKey, session: &Session<'_>) -> Result<(), Failure> {
    show(&item_path(key), false, &session.org_slug().await?, session)
}

fn show(path: &str, print: bool, org: &str, session: &Session<'_>) -> Result<(), Failure> {
    at(&format!("/o/{org}{path}"), print, session)
}

/// Opens a page of the instance, or prints its address.
pub(super) fn at(path: &str, print: bool, session: &Session<'_>) -> Result<(), Failure> {
    let address = format!("{}{path}", session.client.base_url());
    if session.output.json {
        return session.output.json(&serde_json::json!({ "url": address }));
    }
    if print || !session.output.is_terminal() || !open(&address) {
        return session.output.line(&address);
    }
    session.output.say(&format!("Opening {address}"));
    Ok(())
}

/// Where it is below the organization.
fn path(what: Option<&str>) -> Result<String, Failure> {
    let Some(what) = what else { return Ok(String::new()) };
    match (item_key(what), project_key(what)) {
        (Ok(key), _) => Ok(item_path(&key)),
        (Err(_), Ok(key)) => Ok(project(&key)),
        (Err(wrong), Err(_)) => Err(Failure::rejected(format!("{what:?}: {wrong}"))),
    }
}

fn item_path(key: &ItemKey) -> String {
    format!("/p/{}/items/{key}", key.project)
}

fn project(key: &ProjectKey) -> String {
    format!("/p/{key}")
}

/// Whether a program took the address. It is an argument, and no shell reads it.
fn open(address: &str) -> bool {
    let set = std::env::var("BROWSER").ok().filter(|browser| !browser.is_empty());
    let openers = set.iter().map(String::as_str).chain(OPENERS);
    openers.into_iter().any(|opener| {
        let mut command = Command::new(opener);
        command.arg(address).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        command.status().is_ok_and(|status| status.success())
    })
}
