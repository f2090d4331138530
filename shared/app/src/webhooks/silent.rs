//! Why a webhook sends nothing, for the operator.

use svc_domain::webhook::{Disabled, Webhook};

use super::sign;
use crate::App;

const SIGN: &str = "Bring `secrets.key` (or Secrets:Key) back from before the restore, or have the secrets of such webhooks \
                    rotated: `svc webhook rotate NAME`.";
const ENABLE: &str =
    "A webhook whose receiver works again is enabled with `svc webhook edit NAME --disabled false`.";
const RECEIVE: &str = "`svc webhook deliveries NAME` says what the receiver of a webhook answered, and `svc webhook test \
                       NAME` asks it now.";

/// Why a webhook sends nothing, or nothing arrives, although nobody turned it off; and what to do.
pub(crate) fn silent(app: &App, webhook: &Webhook) -> Option<(String, &'static str)> {
    if sign::opened(app, webhook).is_none() {
        return Some((
            "it sends nothing, because its secret was encrypted with another key".to_owned(),
            SIGN,
        ));
    }
    Some(match (webhook.disabled, webhook.failing_since) {
        (Some(Disabled::ByPerson), _) | (None, None) => return None,
        (Some(Disabled::Failing), _) => {
            ("it is disabled, because its deliveries failed for three days".to_owned(), ENABLE)
        }
        (Some(Disabled::Gone), _) => {
            ("it is disabled, because its address answered 410 Gone".to_owned(), ENABLE)
        }
        (None, Some(since)) => (format!("its deliveries have failed since {since}"), RECEIVE),
    })
}
