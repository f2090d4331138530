//! Problems in words for an agent: what went wrong, and which call helps.
//!
//! A tool that fails answers a text, not an error of the protocol: models read it and act on it.

use svc_api::Problem;

/// What an agent is told: status and kind, the sentence, the fields, and the next step.
pub(crate) fn told(problem: &Problem) -> String {
    let mut text = format!("{} {}: {}", problem.status, problem.kind, problem.title);
    if let Some(detail) = &problem.detail {
        text.extend([" ", detail]);
    }
    for (field, messages) in &problem.errors {
        text.extend(["\n", field, ": ", &messages.join(" ")]);
    }
    if let Some(step) = next_step(&problem.kind) {
        text.extend(["\nNext: ", step]);
    }
    if problem.status >= 500 && !problem.trace_id.is_empty() {
        text.extend(["\nTrace id: ", &problem.trace_id]);
    }
    text
}

fn next_step(kind: &str) -> Option<&'static str> {
    Some(match kind {
        "stale-version" => {
            "read it again (get_item, get_wiki_page), apply your change to what it says now, and send the current \
             version."
        }
        "item-claimed" => {
            "take another item, or ask the holder to release it. A stale claim can be claimed over."
        }
        "not-claim-holder" => "call claim_item first.",
        "move-not-permitted" => "get_project lists the states and the moves between them.",
        "live-run-exists" => "follow the run with get_run, or stop it with cancel_run.",
        "run-ended" => "read its outcome with get_run; start_run starts another.",
        "not-found" => "check the key; get_context, list_items and search show what you can see.",
        "validation-failed" | "invalid-query" | "malformed-request" => {
            "correct the named arguments and call again."
        }
        "missing-scope" => "ask the person for a token with that scope.",
        "forbidden" | "factory-not-permitted" => {
            "do something else, or tell the person that their role forbids it."
        }
        "organization-read-only" | "project-archived" => "only reading works there; tell the person.",
        "idempotency-key-reused" => "send a new idempotencyKey for a new request.",
        "request-in-progress" | "conflict" | "unavailable" => {
            "call again in a moment with the same arguments."
        }
        "rate-limited" => "wait that long, then call again.",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::told;
    use svc_app::Error;
    use svc_domain::refusal::Refusal;
    use svc_http::problem_of;

    #[test]
    fn a_conflict_says_the_current_version_and_what_to_do() {
        let problem = problem_of(&Error::Refused(Refusal::StaleVersion { current: 7 }));
        assert_eq!(
            told(&problem),
            "409 stale-version: Somebody else saved first. The current version is 7. Read it again, then decide what to change.\n\
             Next: read it again (get_item, get_wiki_page), apply your change to what it says now, and send the \
             current version."
        );
    }

    #[test]
    fn every_field_is_named() {
        let problem = problem_of(&Error::Refused(Refusal::invalid("title", "Write one.")));
        assert!(told(&problem).contains("\ntitle: Write one.\nNext: correct"), "{}", told(&problem));
    }
}
