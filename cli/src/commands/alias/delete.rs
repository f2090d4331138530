//! `svc alias delete`.

use crate::aliasing::known;
use crate::failure::Failure;
use crate::near::did_you_mean;
use crate::output::Output;
use crate::settings::own_file;

/// Delete an alias.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  svc alias delete mine")]
pub(crate) struct Args {
    /// The alias
    #[arg(value_name = "ALIAS")]
    name: String,
}

pub(super) fn run(Args { name }: &Args, output: &Output) -> Result<(), Failure> {
    let removed = own_file()?.update(|config| config.aliases.remove(name))?;
    let Some(command) = removed else {
        let aliases = known()?;
        let hint = did_you_mean(name, aliases.keys().map(String::as_str));
        return Err(Failure::not_found(format!("there is no alias {name:?}"))
            .hint(hint.unwrap_or_else(|| "`svc alias list` lists them".to_owned())));
    };
    output.say(&format!("deleted the alias {name} (svc {command})"));
    Ok(())
}
