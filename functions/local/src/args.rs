//! The command line of `svc-server`.

use std::net::SocketAddr;
use std::path::PathBuf;

use clap::{Parser, Subcommand, ValueEnum};
use svc_boot::{Config, ConfigError, LogFormat, Store};
use svc_domain::ids::OrgSlug;

use crate::retention::Retention;

/// Work-tracking service: API, documents and workers in one process.
///
/// Environment variables (Automation__MaxLogBytes=… for [Automation] MaxLogBytes) override the settings file,
/// and these options override both.
#[derive(Clone, Debug, Parser)]
#[command(name = "svc-server", version, about, long_about)]
pub struct Args {
    /// Address to listen on; port 0 takes a free one
    #[arg(long, default_value = "127.0.0.1:8080", env = "SVC_LISTEN")]
    pub listen: SocketAddr,

    /// Address at which Prometheus reads metrics (`/metrics`). They need no credential: choose one that is not public
    #[arg(long, value_name = "ADDRESS", env = "SVC_METRICS")]
    pub metrics: Option<SocketAddr>,

    /// Directory of the embedded store; the server creates it if it is missing [default: svc-data]
    #[arg(long, value_name = "DIR", global = true)]
    pub data: Option<PathBuf>,

    /// Where to store data [default: embedded]
    #[arg(long, value_enum, global = true)]
    pub store: Option<StoreArg>,

    /// Settings file (TOML)
    #[arg(long, value_name = "FILE", env = "SVC_CONFIG", global = true)]
    pub config: Option<PathBuf>,

    /// Format of log lines [default: text]
    #[arg(long, value_enum, global = true)]
    pub log: Option<LogArg>,

    /// On first start, create a demo organization and write its credentials to demo.json in the data
    /// directory
    #[arg(long)]
    pub demo: bool,

    /// A command to run instead of the server
    #[command(subcommand)]
    pub command: Option<Command>,
}

/// What the program does besides serving.
#[derive(Clone, Debug, PartialEq, Eq, Subcommand)]
pub enum Command {
    /// Check the whole store for inconsistent rows. Only reads, and can run while servers use the store. Exits with 0
    /// if the data is consistent, with 1 if it is not, with 2 if the store cannot be read
    Check(CheckArgs),

    /// Index all texts for search, for a store that is older than the search index. Skips texts that are already
    /// indexed, and can run while a server uses the store
    Reindex,

    /// List the background messages that failed for good, and say whether the mail server takes mail. Only reads. Exits
    /// with 0 if all is well, with 1 if something is not, with 2 if the store cannot be read
    Doctor,

    /// Ask the server of this machine whether it can serve (`GET /readyz`), at the address of --listen or SVC_LISTEN.
    /// Exits with 0 if it can, with 1 and the reason if it cannot. For containers and supervisors
    Healthcheck,

    /// Send one mail by the configured mail server, and say what the server answered and what to do about it. Needs no
    /// store, and can run while a server runs
    MailTest {
        /// Address to send it to
        address: String,
    },

    /// Retry the background messages that failed for good
    Replay,

    /// Print a link for choosing a new password, to pass on to the owner of an account. The link expires in an hour.
    /// Using it ends the account's sessions and access tokens, and confirms its address
    PasswordLink {
        /// Address of the account
        email: String,
    },

    /// Put an organization on a plan of the hosted service. The plan sets how long its run logs are kept. Can run
    /// while a server uses the store
    Plan {
        /// Slug of the organization
        organization: OrgSlug,
        /// The plan
        plan: PlanArg,
    },

    /// Administer accounts and organizations, on the store itself. Can run while a server uses the store
    Admin {
        /// What to do
        #[command(subcommand)]
        command: AdminCommand,
    },

    /// Copy the embedded store to another directory: a consistent snapshot of its rows and their attachments. Can run
    /// while a server uses the store
    Backup {
        /// Directory of the copy; it must be new or empty. With --keep, the directory of all copies
        #[arg(long, value_name = "DIR")]
        to: PathBuf,
        /// Name the copy by the time, and delete earlier ones but the newest of each of so many hours, days, weeks,
        /// months and years, such as 24h,7d,4w,12m,3y
        #[arg(long, value_name = "LIST")]
        keep: Option<Retention>,
    },

    /// Write the whole store to a directory of plain files, to move it to other engines with `import`. Stop its servers
    /// first, or export a backup. Run again after an interruption, it goes on
    Export {
        /// Directory of the export; it must be new or empty, or have an export that was cut off
        #[arg(value_name = "DIR")]
        to: PathBuf,
        /// Read the store once more, and compare its digest with that of the export
        #[arg(long)]
        verify: bool,
    },

    /// Make a store from an export: rows with their ids and versions, and files. The store must be empty; --data names
    /// a new directory, and --store aws a table and a bucket. Run again after an interruption, it goes on
    Import {
        /// Directory of the export
        #[arg(value_name = "DIR")]
        from: PathBuf,
        /// Read the store afterwards, and compare its digest with that of the export
        #[arg(long)]
        verify: bool,
    },
}

/// What `svc-server admin` does.
#[derive(Clone, Debug, PartialEq, Eq, Subcommand)]
pub enum AdminCommand {
    /// List accounts with their last sign-in and organizations. An account in no organization is found by its whole
    /// address
    Users {
        /// Only those with this text in their address or name
        #[arg(default_value = "", hide_default_value = true)]
        text: String,
    },

    /// Disable an account: its sessions and access tokens end at once, and it opens no others
    Disable {
        /// Address of the account
        email: String,
    },

    /// Let a disabled account sign in again
    Enable {
        /// Address of the account
        email: String,
    },

    /// End all sessions of an account. Its access tokens go on working
    SignOut {
        /// Address of the account
        email: String,
    },

    /// List organizations with their owners and what they hold
    Orgs {
        /// Only those with this text in their slug or name
        #[arg(default_value = "", hide_default_value = true)]
        text: String,
    },

    /// Print what admins of the instance did, newest first, a line of JSON each
    Audit,
}

/// How to check a store.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::Args)]
pub struct CheckArgs {
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,

    /// Seconds to wait for pending background work. Work that is still pending then counts as inconsistent. Give a
    /// few minutes if a server is running [default: pending work is reported, but not counted]
    #[arg(long, value_name = "SECONDS")]
    pub patience: Option<u64>,
}

/// Plans of `svc-server plan`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum PlanArg {
    /// The hosted offer
    Hosted,
    /// An evaluation of the hosted offer
    Evaluation,
    /// The free tier
    Free,
    /// No plan: the instance's own settings apply
    None,
}

/// Values of `--store`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum StoreArg {
    /// SQLite and a directory: nothing to install
    Embedded,
    /// DynamoDB, S3 and SQS
    Aws,
}

/// Values of `--log`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum LogArg {
    /// For people
    Text,
    /// One JSON object per line
    Json,
}

impl Args {
    /// The configuration that file, environment and options add up to.
    ///
    /// # Errors
    /// [`ConfigError`].
    pub fn config(&self) -> Result<Config, ConfigError> {
        let mut config = Config::load(self.config.as_deref())?;
        if let Some(directory) = &self.data {
            config.storage.directory.clone_from(directory);
        }
        match self.store {
            Some(StoreArg::Embedded) => config.storage.engine = Store::Embedded,
            Some(StoreArg::Aws) => config.storage.engine = Store::Aws,
            None => {}
        }
        match self.log {
            Some(LogArg::Text) => config.logging.format = LogFormat::Text,
            Some(LogArg::Json) => config.logging.format = LogFormat::Json,
            None => {}
        }
        Ok(config)
    }
}
