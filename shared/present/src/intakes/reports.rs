//! What a delivery at an intake says: webhooks of Alertmanager and Grafana as they are, anything else by its fields.
//!
//! | shape                                      | reports                                | key                      |
//! |--------------------------------------------|----------------------------------------|--------------------------|
//! | `alerts` with `status` (both send it)      | one for each alert                     | `fingerprint`            |
//! | the same with more than 20 alerts          | one for the group                      | `groupKey`               |
//! | `ruleId` or `ruleName` with `state` (older Grafana) | one                           | `ruleId`, or `ruleName`  |
//! | anything else, or with a mapping           | one                                    | as mapped                |

use std::fmt::Write as _;

use serde_json::{Map, Value};
use svc_domain::intake::{MAX_REPORTS, Mapping, Report};

/// Names that are looked for where nothing is mapped.
const TITLES: &[&str] = &["title", "subject", "summary", "name"];
const BODIES: &[&str] = &["body", "description", "message", "text"];
const KEYS: &[&str] = &["key", "fingerprint", "id"];
/// Fields of a list of all fields.
const MAX_FIELDS: usize = 50;
/// Longest value in such a list, in characters.
const MAX_VALUE: usize = 2_000;

/// The reports of a delivery.
pub fn reports(mapping: &Mapping, delivery: &Map<String, Value>) -> Vec<Report> {
    if *mapping != Mapping::default() {
        return vec![by_fields(mapping, delivery)];
    }
    if let Some(alerts) =
        delivery.get("alerts").and_then(Value::as_array).filter(|all| all.iter().all(is_alert))
    {
        return of_alerts(delivery, alerts);
    }
    if delivery.contains_key("state")
        && (delivery.contains_key("ruleId") || delivery.contains_key("ruleName"))
    {
        return vec![of_rule(delivery)];
    }
    vec![by_fields(mapping, delivery)]
}

fn is_alert(alert: &Value) -> bool {
    alert.get("status").is_some_and(Value::is_string) && alert.get("labels").is_some_and(Value::is_object)
}

fn of_alerts(delivery: &Map<String, Value>, alerts: &[Value]) -> Vec<Report> {
    if alerts.len() <= MAX_REPORTS {
        return alerts.iter().filter_map(Value::as_object).map(of_alert).collect();
    }
    let name = first(delivery, &["title", "commonLabels.alertname", "groupLabels.alertname"]);
    let title = format!("{} ({} alerts)", name.unwrap_or_else(|| "Alerts".to_owned()), alerts.len());
    let mut body = String::new();
    for alert in alerts.iter().filter_map(Value::as_object).take(MAX_FIELDS) {
        let _ = writeln!(body, "- {}", code(&title_of(alert)));
    }
    let key = first(delivery, &["groupKey"]);
    vec![Report::of(&title, &body, vec![], key, is_over(delivery.get("status")))]
}

fn of_alert(alert: &Map<String, Value>) -> Report {
    let mut body = first(alert, &["annotations.description", "annotations.message"]).unwrap_or_default();
    let summary = first(alert, &["annotations.summary"]);
    if let Some(summary) = summary.filter(|_| !body.is_empty()) {
        body = format!("{summary}\n\n{body}");
    }
    body += "\n\n";
    for (name, value) in alert.get("labels").and_then(Value::as_object).into_iter().flatten().take(MAX_FIELDS)
    {
        let _ = writeln!(body, "- {}: {}", code(name), code(&text(value)));
    }
    for name in
        ["startsAt", "endsAt", "valueString", "generatorURL", "dashboardURL", "panelURL", "runbookURL"]
    {
        let value = alert.get(name).map(text).unwrap_or_default();
        // What is not over ends in the year 1.
        if !value.is_empty() && !value.starts_with("0001-") {
            let _ = writeln!(body, "- {name}: {}", code(&value));
        }
    }
    let key = first(alert, &["fingerprint"]);
    Report::of(&title_of(alert), &body, vec![], key, is_over(alert.get("status")))
}

fn title_of(alert: &Map<String, Value>) -> String {
    let name = first(alert, &["labels.alertname"]);
    match (name, first(alert, &["annotations.summary"])) {
        (Some(name), Some(summary)) => format!("{name}: {summary}"),
        (name, summary) => name.or(summary).unwrap_or_default(),
    }
}

fn of_rule(delivery: &Map<String, Value>) -> Report {
    let title = first(delivery, &["title", "ruleName"]).unwrap_or_default();
    let mut body = first(delivery, &["message"]).unwrap_or_default();
    if let Some(address) = first(delivery, &["ruleUrl"]) {
        let _ = write!(body, "\n\n- ruleUrl: {}", code(&address));
    }
    let key = first(delivery, &["ruleId", "ruleName"]);
    Report::of(&title, &body, vec![], key, is_over(delivery.get("state")))
}

fn by_fields(mapping: &Mapping, delivery: &Map<String, Value>) -> Report {
    let mapped = |path: &Option<String>, usual: &[&str]| match path {
        Some(path) => first(delivery, &[path.as_str()]),
        None => first(delivery, usual),
    };
    let title = mapped(&mapping.title, TITLES).unwrap_or_default();
    let body = mapped(&mapping.body, BODIES).unwrap_or_else(|| list(delivery));
    let key = mapped(&mapping.key, KEYS);
    let labels =
        mapping.labels.as_deref().and_then(|path| at(delivery, path)).map(labels).unwrap_or_default();
    let resolved = is_over(delivery.get("status").or_else(|| delivery.get("state")));
    Report::of(&title, &body, labels, key, resolved)
}

fn is_over(word: Option<&Value>) -> bool {
    let word = word.and_then(Value::as_str).map(str::to_ascii_lowercase);
    word.is_some_and(|word| ["resolved", "ok", "closed", "normal"].contains(&word.as_str()))
}

/// The first of these fields that says something.
fn first(of: &Map<String, Value>, paths: &[&str]) -> Option<String> {
    paths.iter().filter_map(|path| at(of, path)).map(text).find(|text| !text.trim().is_empty())
}

/// The value at a path. A field whose name has dots is found by its whole name.
fn at<'a>(of: &'a Map<String, Value>, path: &str) -> Option<&'a Value> {
    if let Some(found) = of.get(path) {
        return Some(found);
    }
    let mut parts = path.split('.');
    let mut found = of.get(parts.next()?)?;
    for part in parts {
        found = match found {
            Value::Object(fields) => fields.get(part)?,
            Value::Array(all) => all.get(part.parse::<usize>().ok()?)?,
            _ => return None,
        };
    }
    Some(found)
}

fn text(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

fn labels(value: &Value) -> Vec<String> {
    match value {
        Value::Array(all) => all.iter().map(text).collect(),
        other => text(other).split(',').map(|label| label.trim().to_owned()).collect(),
    }
}

/// All fields, for what has no text of its own.
fn list(delivery: &Map<String, Value>) -> String {
    let mut list = String::new();
    for (name, value) in delivery.iter().take(MAX_FIELDS) {
        let _ = writeln!(list, "- {}: {}", code(name), code(&text(value)));
    }
    list
}

/// As code on one line, so that it reads as it was sent.
fn code(text: &str) -> String {
    let line: String =
        text.split_whitespace().collect::<Vec<_>>().join(" ").chars().take(MAX_VALUE).collect();
    let mut runs = 0;
    let mut longest = 0;
    for c in line.chars() {
        runs = if c == '`' { runs + 1 } else { 0 };
        longest = longest.max(runs);
    }
    let fence = "`".repeat(longest + 1);
    if longest == 0 { format!("`{line}`") } else { format!("{fence} {line} {fence}") }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use svc_domain::intake::{Mapping, Report};

    use super::reports;

    fn read(mapping: &Mapping, delivery: &Value) -> Vec<Report> {
        reports(mapping, delivery.as_object().unwrap())
    }

    fn plain(delivery: &Value) -> Vec<Report> {
        read(&Mapping::default(), delivery)
    }

    fn alert(n: usize, status: &str) -> Value {
        json!({
            "status": status, "fingerprint": format!("f{n}"), "startsAt": "2026-11-29T06:00:00Z",
            "endsAt": "0001-01-01T00:00:00Z", "labels": {"alertname": "DiskFull", "instance": format!("db`{n}")},
            "annotations": {"summary": "Disk is full", "description": "98 % used"},
        })
    }

    #[test]
    fn alerts_are_one_report_each_and_many_are_one() {
        let group = |alerts: Vec<Value>| json!({"version": "4", "groupKey": "{}:{a=\"b\"}", "status": "firing", "alerts": alerts});
        let found = plain(&group(vec![alert(1, "firing"), alert(2, "resolved")]));
        assert_eq!(found.len(), 2);
        assert_eq!(
            (found[0].title.as_str(), found[0].key.as_deref()),
            ("DiskFull: Disk is full", Some("f1"))
        );
        assert_eq!(
            found[0].body,
            "Disk is full\n\n98 % used\n\n- `alertname`: `DiskFull`\n- `instance`: `` db`1 ``\n- startsAt: `2026-11-29T06:00:00Z`"
        );
        assert_eq!((found[0].resolved, found[1].resolved), (false, true));
        let many = plain(&group((0..30).map(|n| alert(n, "firing")).collect()));
        assert_eq!((many.len(), many[0].key.as_deref()), (1, Some("{}:{a=\"b\"}")));
        assert_eq!(many[0].title, "Alerts (30 alerts)");
    }

    #[test]
    fn older_grafana_names_its_rule() {
        let found = plain(&json!({"ruleId": 7, "ruleName": "Load", "state": "ok", "message": "fine"}));
        assert_eq!(
            (found[0].title.as_str(), found[0].key.as_deref(), found[0].resolved),
            ("Load", Some("7"), true)
        );
    }

    #[test]
    fn a_form_is_read_by_its_fields_or_listed() {
        let found = plain(&json!({"subject": "Help", "message": "It *hurts*", "id": 12}));
        assert_eq!(
            (found[0].title.as_str(), found[0].body.as_str(), found[0].key.as_deref()),
            ("Help", "It *hurts*", Some("12"))
        );
        let listed = plain(&json!({"email": "a@example.com", "note": "one\ntwo"}));
        assert_eq!(listed[0].body, "- `email`: `a@example.com`\n- `note`: `one two`");
        assert_eq!((listed[0].title.as_str(), listed[0].key.as_deref()), ("", None));
    }

    #[test]
    fn a_mapping_says_which_field_is_what() {
        let mapping = Mapping {
            title: Some("event.title".into()),
            body: Some("event.lines.1".into()),
            labels: Some("tags".into()),
            key: Some("a.b".into()),
        };
        let delivery = json!({
            "event": {"title": "Boom", "lines": ["x", "y"]}, "tags": "ui, backend", "a.b": 4, "alerts": [alert(1, "firing")],
        });
        let found = read(&mapping, &delivery);
        assert_eq!(
            found,
            [Report::of("Boom", "y", vec!["ui".into(), "backend".into()], Some("4".into()), false)]
        );
        let lists = read(&mapping, &json!({"event": [], "tags": ["ui", 3]}));
        assert_eq!(lists[0].labels, ["ui", "3"]);
    }
}
