//! `status`: what this machine is registered for, and what it can do.

use std::path::PathBuf;

use clap::Args;
use serde_json::{Value, json};

use super::CliError;
use crate::harness::KNOWN;
use crate::harness::detect::{Detected, Detector};
use crate::runner_file::{Profile, RunnerFile, RunnerFileStore};

/// Show registrations, harnesses, mapped repositories and roots
#[derive(Clone, Debug, Args)]
pub struct Status {
    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl Status {
    pub(super) async fn run(self, store: &RunnerFileStore) -> Result<u8, CliError> {
        let file = store.load()?;
        let harnesses = Detector::default().all_patiently(&file.executables).await;
        if self.json {
            println!("{:#}", as_json(&file, &harnesses));
        } else {
            print!("{}", as_text(&file, &harnesses));
        }
        Ok(0)
    }
}

fn as_json(file: &RunnerFile, harnesses: &[Detected]) -> Value {
    let harnesses = harnesses.iter().map(|one| {
        json!({
            "id": one.id,
            "name": one.name,
            "path": one.path,
            "version": one.version.as_ref().ok(),
            "problem": problem(one),
        })
    });
    let profiles = file.profiles.iter().map(|profile| {
        json!({
            "organization": profile.organization,
            "url": profile.url,
            "workspaces": profile.workspaces,
            "isolation": profile.isolation,
            "projects": profile.projects,
            "repoRoots": profile.repo_roots,
        })
    });
    json!({
        "machineId": file.machine_id,
        "name": file.name,
        "autoUpdate": file.auto_update,
        "harnesses": harnesses.collect::<Vec<_>>(),
        "profiles": profiles.collect::<Vec<_>>(),
    })
}

fn as_text(file: &RunnerFile, harnesses: &[Detected]) -> String {
    let registrations = file.profiles.iter().map(|profile| {
        let name = if profile.organization.is_empty() { "(not known yet)" } else { &profile.organization };
        [name.to_owned(), profile.url.clone(), String::new()]
    });
    let found = harnesses.iter().map(|one| {
        let version = one.version.clone().unwrap_or_default();
        [one.name.clone(), problem(one).unwrap_or(version), one.path.display().to_string()]
    });
    let sought = KNOWN.iter().filter(|known| !harnesses.iter().any(|one| one.id == known.id));
    let sought = sought
        .map(|known| [known.name.to_owned(), "not found".to_owned(), format!("({})", known.executable)]);
    let mapped = file.profiles.iter().flat_map(|profile| {
        profile.workspaces.iter().map(|(project, path)| {
            let gone = if path.is_dir() { "" } else { "  (not there)" };
            [profile.organization.clone(), project.clone(), format!("{}{gone}", path.display())]
        })
    });
    let roots = file.profiles.iter().flat_map(|profile| {
        let shown =
            |root: &PathBuf| [profile.organization.clone(), root.display().to_string(), String::new()];
        profile.repo_roots.iter().map(shown)
    });
    let isolated: Vec<[String; 3]> = file.profiles.iter().flat_map(isolation_rows).collect();
    let isolation =
        if isolated.is_empty() { String::new() } else { table("Isolation of runs", isolated, "") };
    [
        table("Registrations", registrations.collect(), "none; run `svc runner register`"),
        table("Harnesses", found.chain(sought).collect(), ""),
        table("Mapped repositories", mapped.collect(), "none; run `svc runner map <PROJECT_KEY> <path>`"),
        isolation,
        table("Repository roots", roots.collect(), "none; path hints are not used"),
    ]
    .concat()
}

/// How the runs of an organization are isolated, and those of its projects that say otherwise.
fn isolation_rows(profile: &Profile) -> Vec<[String; 3]> {
    let own = profile.projects.iter().map(|(project, options)| (project.as_str(), &options.isolation));
    let all = std::iter::once(("(default)", &profile.isolation)).chain(own);
    let said = all.filter(|(_, isolation)| !isolation.is_none());
    said.map(|(project, isolation)| [profile.organization.clone(), project.to_owned(), isolation.words()])
        .collect()
}

/// Columns two spaces apart under a title.
fn table(title: &str, rows: Vec<[String; 3]>, none: &str) -> String {
    let mut text = format!("{title}\n");
    if rows.is_empty() {
        text.push_str(&format!("  {none}\n"));
    }
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let (first, second) = (width(0), width(1));
    for [a, b, c] in &rows {
        let line = format!("  {a:first$}  {b:second$}  {c}");
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}

fn problem(one: &Detected) -> Option<String> {
    match &one.version {
        Err(why) => Some(why.clone()),
        Ok(_) if !one.supported => Some("not supported by this version".to_owned()),
        Ok(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use svc_api::factory::Harness;

    use super::*;

    fn example() -> (RunnerFile, Vec<Detected>) {
        let file = serde_json::from_value(json!({
            "machineId": "m",
            "profiles": [{
                "organization": "demo", "url": "http://i", "token": "jrn_very-secret",
                "workspaces": {"PRJ": "/nowhere/prj"}, "repoRoots": ["/repos"],
            }],
        }));
        let found = Detected {
            harness: Harness::Harness1,
            id: "harness_1",
            name: "Claude Code".into(),
            path: "/bin/claude".into(),
            version: Ok("2.1".into()),
            supported: true,
        };
        let broken = Detected {
            harness: Harness::Harness2,
            id: "harness_2",
            name: "Codex CLI".into(),
            version: Err("--version failed".into()),
            ..found.clone()
        };
        (file.unwrap(), vec![found, broken])
    }

    #[test]
    fn people_read_a_table() {
        let (file, harnesses) = example();
        let text = as_text(&file, &harnesses);
        let expected = "Registrations\n  demo  http://i\n\
            Harnesses\n  Claude Code         2.1               /bin/claude\n  Codex CLI           --version failed  /bin/claude\n\
            \x20 opencode            not found         (opencode)\n  Cursor CLI          not found         (cursor-agent)\n\
            \x20 GitHub Copilot CLI  not found         (copilot)\n\
            Mapped repositories\n  demo  PRJ  /nowhere/prj  (not there)\n\
            Repository roots\n  demo  /repos\n";
        assert_eq!(text, expected);
    }

    #[test]
    fn isolation_is_shown_where_there_is_some() {
        let (mut file, harnesses) = example();
        file.profiles[0].isolation.environment = Some(vec!["CI".into()]);
        let options = file.profiles[0].projects.entry("PRJ".into()).or_default();
        options.isolation.run_as = Some(crate::isolation::RunAs::User("agent".into()));
        let text = as_text(&file, &harnesses);
        let expected = "Isolation of runs\n  demo  (default)  variables CI\n  demo  PRJ        user agent\n";
        assert!(text.contains(expected), "{text}");
        assert_eq!(as_json(&file, &harnesses)["profiles"][0]["isolation"]["environment"][0], "CI");
    }

    #[test]
    fn neither_form_shows_a_secret() {
        let (file, harnesses) = example();
        assert!(!as_text(&file, &harnesses).contains("jrn_"));
        assert!(!as_json(&file, &harnesses).to_string().contains("jrn_"));
    }
}
