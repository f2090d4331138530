//! The store of the commands that are not the server: it must be there, and none of them makes one.

use svc_boot::{Config, Store, init_telemetry};

use crate::args::Args;
use crate::demo;
use crate::failure::Failure;

/// What a command exits with when the store, or where to find it, cannot be read.
pub(crate) const UNREADABLE: u8 = 2;

/// The configuration of a store that is there.
///
/// # Errors
/// What is wrong with the configuration; that there is no store, or that it may not be read.
pub(crate) fn config(args: &Args) -> Result<Config, Failure> {
    let mut config = args.config()?;
    config.storage.create = false;
    demo::name_admins(&mut config, false);
    init_telemetry(&config.logging);
    let directory = config.storage.directory.display();
    match config.storage.engine {
        Store::Aws => {}
        Store::Embedded => match svc_boot::is_store(&config.storage.directory) {
            Ok(true) => {}
            Ok(false) => {
                return Err(
                    format!("there is no store in {directory}; give its directory with --data").into()
                );
            }
            Err(error) => {
                return Err(format!(
                    "no permission to read the store in {directory} ({error}); run this command as the service's user"
                )
                .into());
            }
        },
    }
    Ok(config)
}
