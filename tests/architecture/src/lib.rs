//! Keeps the arrows between the rooms: who may depend on whom, and which words may stand where.
//!
//! The rules are those of ARCHITECTURE.md. A new room needs a line in [`tests::ROOMS`]; a file that grows
//! past its measure, or a room that names what it must not, fails with what to do about it.

#[cfg(test)]
mod circles;
#[cfg(test)]
mod duplicates;
#[cfg(test)]
mod features;

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};
    use std::fs;
    use std::path::{Path, PathBuf};
    use std::process::Command;

    use serde_json::Value;

    use crate::circles::Room;

    /// Every room and the rooms that it may depend on. Tests may use more.
    const ROOMS: &[(&str, &[&str])] = &[
        ("svc-domain", &[]),
        ("svc-api", &[]),
        ("svc-text", &[]),
        ("svc-import", &["svc-api", "svc-domain"]),
        ("svc-storage", &["svc-domain"]),
        ("svc-storage-sqlite", &["svc-storage", "svc-domain"]),
        ("svc-storage-aws", &["svc-storage", "svc-domain"]),
        ("svc-app", &["svc-storage", "svc-domain"]),
        ("svc-present", &["svc-app", "svc-domain", "svc-api", "svc-text"]),
        ("svc-http", &["svc-app", "svc-domain", "svc-api"]),
        ("svc-boot", &["svc-app", "svc-domain", "svc-storage", "svc-storage-aws", "svc-storage-sqlite"]),
        ("svc-client", &["svc-api"]),
        ("svc-runner", &["svc-client", "svc-api", "svc-domain"]),
        ("svc-cli", &["svc-client", "svc-import", "svc-runner", "svc-api", "svc-domain", "svc-text"]),
        ("svc-workers", &["svc-app", "svc-domain", "svc-present", "svc-storage"]),
        ("svc-identity", FUNCTION),
        ("svc-tracker", TRACKER),
        ("svc-wiki", FUNCTION),
        ("svc-search", FUNCTION),
        ("svc-notifications", FUNCTION),
        ("svc-factory", FUNCTION),
        ("svc-runner-api", FUNCTION),
        ("svc-mcp", FUNCTION),
        ("svc-portal", FUNCTION),
        (
            "svc-local",
            &[
                "svc-identity",
                "svc-tracker",
                "svc-wiki",
                "svc-factory",
                "svc-runner-api",
                "svc-search",
                "svc-notifications",
                "svc-mcp",
                "svc-portal",
                "svc-workers",
                "svc-http",
                "svc-app",
                "svc-boot",
                "svc-api",
                "svc-domain",
                "svc-storage",
            ],
        ),
        (
            "svc-lambda",
            &[
                "svc-identity",
                "svc-tracker",
                "svc-wiki",
                "svc-factory",
                "svc-runner-api",
                "svc-search",
                "svc-notifications",
                "svc-mcp",
                "svc-portal",
                "svc-workers",
                "svc-http",
                "svc-app",
                "svc-boot",
                "svc-storage",
                "svc-storage-aws",
            ],
        ),
    ];

    /// What an API area may depend on.
    const FUNCTION: &[&str] = &["svc-http", "svc-present", "svc-app", "svc-api", "svc-domain", "svc-text"];

    /// The tracker reads the exports of other trackers too.
    const TRACKER: &[&str] =
        &["svc-http", "svc-import", "svc-present", "svc-app", "svc-api", "svc-domain", "svc-text"];

    /// Words that name an engine, and the rooms that may use them.
    const ENGINE_WORDS: &[&str] = &["aws_sdk", "aws_config", "rusqlite", "DynamoDB", "SELECT "];
    /// vibe-kanban keeps its tasks in a database of that kind, which an import reads.
    const ENGINE_ROOMS: &[&str] = &[
        "shared/storage-sqlite",
        "shared/storage-aws",
        "shared/boot",
        "shared/import/src/vibe_kanban_db.rs",
    ];

    /// Circles between files that no leaf dissolves, by room: ARCHITECTURE.md says why each stays.
    const CIRCLES: &[(&str, &[&str])] =
        &[("shared/client", &["client", "send"]), ("shared/storage", &["error", "table"])];

    /// Lines of a file at most, its tests not counted.
    const LINES: usize = 400;

    fn root() -> PathBuf {
        Path::new(&std::env::var_os("CARGO_MANIFEST_DIR").unwrap()).join("../..").canonicalize().unwrap()
    }

    fn metadata() -> Value {
        let output = Command::new(env!("CARGO"))
            .args(["metadata", "--no-deps", "--format-version", "1", "--offline"])
            .current_dir(root())
            .output()
            .unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        serde_json::from_slice(&output.stdout).unwrap()
    }

    fn text<'a>(value: &'a Value, key: &str) -> &'a str {
        value[key].as_str().unwrap()
    }

    #[test]
    fn rooms_depend_only_on_the_rooms_they_may() {
        let rooms: BTreeMap<_, BTreeSet<_>> =
            ROOMS.iter().map(|(room, may)| (*room, may.iter().copied().collect())).collect();
        let metadata = metadata();
        let mut wrong = Vec::new();
        for package in metadata["packages"].as_array().unwrap() {
            let name = text(package, "name");
            if Path::new(text(package, "manifest_path")).starts_with(root().join("tests")) {
                continue;
            }
            let Some(may) = rooms.get(name) else {
                wrong.push(format!("{name} is a new room: say in ROOMS what it may depend on"));
                continue;
            };
            for dependency in package["dependencies"].as_array().unwrap() {
                let on = text(dependency, "name");
                if dependency["kind"].is_null() && on.starts_with("svc-") && !may.contains(on) {
                    wrong.push(format!("{name} must not depend on {on}"));
                }
            }
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }

    pub(super) fn sources(room: &Path, found: &mut Vec<PathBuf>) {
        let Ok(entries) = fs::read_dir(room) else { return };
        for entry in entries {
            let path = entry.unwrap().path();
            if path.is_dir() {
                sources(&path, found);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                found.push(path);
            }
        }
    }

    fn program_sources() -> Vec<(String, String)> {
        let mut files = Vec::new();
        for room in ["shared", "functions", "runner", "cli"] {
            sources(&root().join(room), &mut files);
        }
        let program = |path: &PathBuf| {
            let text = path.to_string_lossy();
            !["/tests/", "/examples/", "/benches/", "/tests.rs", "/testing"]
                .iter()
                .any(|part| text.contains(part))
        };
        files
            .into_iter()
            .filter(program)
            .map(|path| {
                let name = path.strip_prefix(root()).unwrap().to_string_lossy().into_owned();
                let text = fs::read_to_string(&path).unwrap();
                let program = text.split("\n#[cfg(test)]\nmod ").next().unwrap_or_default().to_owned();
                (name, program)
            })
            .collect()
    }

    #[test]
    fn engines_are_named_only_by_their_adapters() {
        let mut wrong = Vec::new();
        for (name, text) in program_sources() {
            if ENGINE_ROOMS.iter().any(|room| name.starts_with(room)) {
                continue;
            }
            let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
            for (number, line) in code.enumerate() {
                if let Some(word) = ENGINE_WORDS.iter().find(|word| line.contains(**word)) {
                    wrong.push(format!("{name} (code line {}) names {word}", number + 1));
                }
            }
        }
        assert!(wrong.is_empty(), "only the storage adapters and boot name engines:\n{}", wrong.join("\n"));
    }

    /// Calls that write rows, and the files that may make them beside the storage rooms. ARCHITECTURE.md names each.
    const WRITES: &[(&str, &[&str])] = &[
        (
            "table.commit(",
            &[
                "functions/local/src/moving/import.rs",
                "functions/local/src/moving/rows.rs",
                "shared/app/src/app.rs",
                "shared/app/src/commit.rs",
            ],
        ),
        ("Table::commit(", &[]),
        (
            ".increment(",
            &[
                "functions/local/src/moving/rows.rs",
                "shared/app/src/budget.rs",
                "shared/app/src/health.rs",
                "shared/app/src/tracker/items.rs",
            ],
        ),
        ("Table::increment(", &[]),
        (".write_sometime(", &["shared/app/src/entry.rs", "shared/app/src/tracker/comments/list.rs"]),
    ];

    #[test]
    fn rows_are_written_only_by_committing_a_transaction() {
        let mut wrong = Vec::new();
        for (name, text) in program_sources() {
            if name.starts_with("shared/storage") {
                continue;
            }
            // A call may stand on several lines.
            let code: String = text.split_whitespace().collect();
            for (call, callers) in WRITES {
                if code.contains(call) && !callers.contains(&name.as_str()) {
                    wrong.push(format!("{name} calls {call}…)"));
                }
            }
        }
        assert!(wrong.is_empty(), "write through App::commit:\n{}", wrong.join("\n"));
    }

    #[test]
    fn what_follows_from_events_is_made_only_where_it_is_derived() {
        const DERIVED: &[&str] =
            &["keys::history(", "keys::feed(", "keys::audit(", "Outgoing::new(", "notify_runners("];
        // Workers that put off what they send to a place go on with a message of their own.
        const OWN: &[&str] = &[
            "outbox.rs",
            "notifier.rs",
            "search/index.rs",
            "search/reindex.rs",
            "notifications/deliver.rs",
            "webhooks/deliveries.rs",
            "webhooks/fan_out.rs",
        ];
        let mut wrong = Vec::new();
        for (name, text) in program_sources() {
            let elsewhere = name.starts_with("shared/app/src/")
                && !["derive", "check"].iter().any(|own| name.starts_with(&format!("shared/app/src/{own}")))
                && !OWN.iter().any(|own| name.ends_with(own));
            let made = DERIVED.iter().filter(|made| elsewhere && text.contains(**made));
            wrong.extend(made.map(|made| format!("{name} makes {made}…)")));
        }
        let why = "tell a domain event; what follows is made in shared/app/src/derive";
        assert!(wrong.is_empty(), "{why}:\n{}", wrong.join("\n"));
    }

    /// A consumer that takes the rest in one arm would not notice a new family of events.
    #[test]
    fn every_consumer_decides_about_every_family_of_events() {
        let consumers: Vec<_> = program_sources()
            .into_iter()
            .filter(|(name, _)| name.starts_with("shared/app/src/derive/"))
            .collect();
        assert!(consumers.len() >= 8, "the consumers of events are read");
        let names = |text: &str| -> BTreeSet<String> {
            let after = text.split(" Event::").skip(1);
            after.map(|rest| rest.chars().take_while(|c| c.is_alphanumeric()).collect()).collect()
        };
        let most: BTreeSet<String> = consumers.iter().flat_map(|(_, text)| names(text)).collect();
        for (name, text) in &consumers {
            assert!(!text.contains("_ =>"), "{name} takes events it does not name");
            let missing: Vec<_> = most.difference(&names(text)).cloned().collect();
            assert!(missing.is_empty(), "{name} does not name {missing:?}");
        }
    }

    #[test]
    fn files_use_each_other_in_one_direction() {
        let mut found = BTreeSet::new();
        for group in ["shared", "functions", "."] {
            for room in fs::read_dir(root().join(group)).unwrap() {
                let source = room.unwrap().path().join("src");
                if !source.is_dir() {
                    continue;
                }
                let room = source.parent().unwrap().strip_prefix(root().join(group)).unwrap();
                let name = Path::new(group).join(room).to_string_lossy().trim_start_matches("./").to_owned();
                for circle in Room::read(&source).circles() {
                    found.insert((name.clone(), circle));
                }
            }
        }
        let known: BTreeSet<(String, BTreeSet<String>)> = CIRCLES
            .iter()
            .map(|(room, files)| ((*room).to_owned(), files.iter().map(|file| (*file).to_owned()).collect()))
            .collect();
        let new: Vec<_> = found.difference(&known).collect();
        assert!(new.is_empty(), "put what both need into a file of its own, which uses neither: {new:#?}");
        let gone: Vec<_> = known.difference(&found).collect();
        assert!(gone.is_empty(), "these circles are dissolved: take them out of CIRCLES: {gone:#?}");
    }

    #[test]
    fn status_codes_are_named_only_by_the_http_kit() {
        // Answering with one of the kit's types is how an area chooses its status; errors are the kit's.
        let mut wrong = Vec::new();
        for (name, text) in program_sources() {
            let area = name.starts_with("functions/") && !name.starts_with("functions/local");
            let decides = name.starts_with("shared/app") || name.starts_with("shared/domain");
            if (area || decides) && text.contains("StatusCode::") {
                wrong.push(name);
            }
        }
        assert!(wrong.is_empty(), "these name a status code: {}", wrong.join(", "));
    }

    #[test]
    fn areas_do_not_know_their_program() {
        let programs = ["functions/local/", "functions/lambda/"];
        let wrong: Vec<_> = program_sources()
            .into_iter()
            .filter(|(name, _)| name.starts_with("functions/"))
            .filter(|(name, text)| {
                !programs.iter().any(|program| name.starts_with(program)) && text.contains("svc_boot")
            })
            .map(|(name, _)| name)
            .collect();
        assert!(wrong.is_empty(), "only programs boot: {}", wrong.join(", "));
    }

    #[test]
    fn files_keep_their_measure_and_say_what_they_own() {
        let mut wrong = Vec::new();
        for (name, text) in program_sources() {
            // A table that opens a file is for reading, not for reading past.
            let lines = text.lines().filter(|line| !line.starts_with("//!")).count();
            if lines > LINES {
                wrong.push(format!(
                    "{name} has {lines} lines without its opening and its tests: make it two files"
                ));
            }
            if !text.trim_start().starts_with("//!") {
                wrong.push(format!("{name} does not begin with what it owns (//!)"));
            }
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }

    #[test]
    fn every_enum_of_the_wire_reads_what_it_does_not_know() {
        // Specification section 9.6. `Render` is only ever asked for; an untagged enum has no word that could be new.
        let asked = ["Render"];
        let mut wrong = Vec::new();
        for (name, text) in program_sources().into_iter().filter(|(name, _)| name.starts_with("shared/api/"))
        {
            for (before, after) in text.match_indices("\npub enum ").map(|(at, _)| text.split_at(at)) {
                let attributes = before.rsplit("\n\n").next().unwrap_or_default();
                let body = after.split("\n}").next().unwrap_or_default();
                let untagged = attributes.contains("#[serde(untagged)]");
                let known =
                    untagged || asked.iter().any(|asked| body.starts_with(&format!("\npub enum {asked} ")));
                if attributes.contains("Deserialize") && !body.contains("#[serde(other)]") && !known {
                    wrong.push(format!("{name}: {}", body.trim_start().lines().next().unwrap_or_default()));
                }
            }
        }
        assert!(wrong.is_empty(), "give these a variant Unknown, #[serde(other)]:\n{}", wrong.join("\n"));
    }

    #[test]
    fn nothing_is_left_for_later() {
        let marks = ["TODO", "FIXME", "XXX", "todo!(", "unimplemented!("];
        let wrong: Vec<_> = program_sources()
            .into_iter()
            .filter(|(_, text)| marks.iter().any(|mark| text.contains(mark)))
            .map(|(name, _)| name)
            .collect();
        assert!(wrong.is_empty(), "these leave something for later: {}", wrong.join(", "));
    }
}
