//! Where the runner keeps things: configuration and run directories (specification sections 2.8, 4.3).

use std::path::PathBuf;

use etcetera::BaseStrategy;

/// The configuration directory: `svc` in `$SVC_CONFIG_HOME`, else in `$XDG_CONFIG_HOME`, else in `~/.config`.
///
/// # Errors
/// No variable is set and the user has no home directory.
pub fn config_home() -> Result<PathBuf, NoHome> {
    if let Some(home) = set("SVC_CONFIG_HOME") {
        return Ok(home.join("svc"));
    }
    Ok(etcetera::base_strategy::Xdg::new().map_err(|_| NoHome)?.config_dir().join("svc"))
}

/// The directory of run directories: `$XDG_DATA_HOME/svc/runner`, else `~/.local/share/svc/runner`.
///
/// # Errors
/// No variable is set and the user has no home directory.
pub fn runs_home() -> Result<PathBuf, NoHome> {
    Ok(etcetera::base_strategy::Xdg::new().map_err(|_| NoHome)?.data_dir().join("svc").join("runner"))
}

/// The directory of what a program remembers between two commands and could do without: `svc` in
/// `$XDG_STATE_HOME`, else in `~/.local/state`.
///
/// # Errors
/// No variable is set and the user has no home directory.
pub fn state_home() -> Result<PathBuf, NoHome> {
    let base = etcetera::base_strategy::Xdg::new().map_err(|_| NoHome)?;
    Ok(base.state_dir().unwrap_or_else(|| base.data_dir()).join("svc"))
}

/// The user's home directory, for `~/` in a path hint.
pub fn user_home() -> Option<PathBuf> {
    etcetera::home_dir().ok()
}

fn set(variable: &str) -> Option<PathBuf> {
    std::env::var_os(variable).filter(|value| !value.is_empty()).map(PathBuf::from)
}

/// There is no home directory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no home directory: set HOME, or SVC_CONFIG_HOME and --workspace-root")]
pub struct NoHome;
