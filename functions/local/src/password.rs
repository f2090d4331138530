//! The way back into an account where no mail is sent: a link that the operator hands over.

use svc_app::administration::{self, AdminCaller, MadeLink};
use svc_boot::open;

use crate::admin::no_account;
use crate::args::Args;
use crate::existing;
use crate::failure::Failure;
use crate::served;

/// Prints a link with which the owner of an account chooses a new password.
///
/// # Errors
/// That nobody has the address; what keeps the store from being opened, read or written.
pub async fn password_link(args: &Args, email: &str) -> Result<(), Failure> {
    let mut config = existing::config(args)?;
    let address = served::address(&config).unwrap_or_else(|| format!("http://{}", args.listen));
    config.settings.service.base_url = address;
    let opened = open(&config).await?;
    let made = async {
        let user = administration::account_of_address(&opened.app, AdminCaller::Console, email).await?;
        administration::make_password_link(&opened.app, AdminCaller::Console, user).await
    }
    .await;
    opened.close().await;
    let MadeLink::Link(link) = made.map_err(|error| no_account(error, email))? else {
        return Err("the link was mailed".into());
    };
    eprintln!(
        "Pass this link on to the owner of {email} (\"{}\"). It works once and expires in {} minutes. Using it ends \
        all sessions and access tokens of the account.",
        link.name, link.minutes
    );
    println!("{}", link.address);
    Ok(())
}
