//! The way back into an account where no mail is sent: a link that the operator hands over.

use svc_app::identity;
use svc_boot::open;

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
    let link = identity::password_link(&opened.app, email).await;
    opened.close().await;
    let link = link?.ok_or_else(|| format!("no account has the address {email}"))?;
    eprintln!(
        "Pass this link on to the owner of {email} (\"{}\"). It works once and expires in {} minutes. Using it ends \
        all sessions and access tokens of the account.",
        link.name, link.minutes
    );
    println!("{}", link.address);
    Ok(())
}
