//! Structured logs on standard error.

use std::io::IsTerminal as _;

use tracing_subscriber::EnvFilter;
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::util::SubscriberInitExt as _;

use crate::config::{LogFormat, Logging};

/// The library that speaks the Model Context Protocol. It tells three lines of every request, and warns of what a
/// client asked for in vain.
const TALKATIVE: &str = "rmcp";

/// Starts logging. `RUST_LOG` is stronger than the configuration. Does nothing when a process has logging
/// already.
pub fn init_telemetry(logging: &Logging) {
    let wanted = std::env::var(EnvFilter::DEFAULT_ENV).ok();
    let filter = wanted.and_then(|wanted| filter(&wanted)).or_else(|| filter(&logging.filter));
    let registry = tracing_subscriber::registry().with(filter.unwrap_or_else(|| EnvFilter::new("info")));
    let colour = std::io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none();
    let lines =
        tracing_subscriber::fmt::layer().with_writer(std::io::stderr).with_target(false).with_ansi(colour);
    // A second call, as tests make, finds logging at work.
    let _ = match logging.format {
        LogFormat::Text => registry.with(lines).try_init(),
        LogFormat::Json => registry.with(lines.json().flatten_event(true)).try_init(),
    };
}

/// The filter of these directives; of the talkative library only errors, unless the directives name it.
fn filter(directives: &str) -> Option<EnvFilter> {
    let filter = EnvFilter::try_new(directives).ok()?;
    if directives.contains(TALKATIVE) {
        return Some(filter);
    }
    Some(filter.add_directive(format!("{TALKATIVE}=error").parse().ok()?))
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::filter;

    /// What is logged under these directives, of lines as the library and the service write them.
    fn logged(directives: &str) -> String {
        let (reader, writer) = std::io::pipe().unwrap();
        let log = tracing_subscriber::fmt()
            .with_env_filter(filter(directives).unwrap())
            .with_writer(Mutex::new(writer))
            .without_time()
            .with_ansi(false);
        tracing::subscriber::with_default(log.finish(), || {
            tracing::info_span!(target: "rmcp::service", "serve_inner").in_scope(|| {
                tracing::info!(target: "rmcp::service", "initialized");
                tracing::warn!(target: "rmcp::service", "response error");
                tracing::error!(target: "rmcp::service", "fail to close sink");
            });
            tracing::info!(target: "svc_app::outbox", "of the service");
        });
        std::io::read_to_string(reader).unwrap()
    }

    /// Every request of an agent wrote three lines, and a resource that is not there a warning.
    #[test]
    fn an_ordinary_request_of_an_agent_writes_no_line() {
        for directives in ["info", "svc_app=info", "debug"] {
            let lines = logged(directives);
            assert!(lines.contains("of the service") && lines.contains("fail to close sink"), "{lines}");
            assert!(!lines.contains("initialized") && !lines.contains("response error"), "{lines}");
        }
        let lines = logged("info,rmcp=info");
        assert!(lines.contains("initialized") && lines.contains("response error"), "{lines}");
    }

    #[test]
    fn what_is_no_filter_is_none() {
        assert!(filter("a=b=c").is_none());
    }
}
