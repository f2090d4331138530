//! Agents written as shell scripts: they speak as Claude Code does, leave notes in a directory, and wait for
//! notes of the test, so that both know where the other is.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::wait::eventually;

/// How long a test waits for a note.
const BOUND: Duration = Duration::from_secs(300);

/// What every script begins with. A script that waits in vain gives up by itself, so that nothing is left for ever.
const PROLOGUE: &str = r#"#!/bin/sh
[ "$1" = --version ] && { echo '2.0.0 (Claude Code)'; exit 0; }
say() { printf '{"type":"assistant","message":{"content":[{"type":"text","text":"%s"}]}}\n' "$1"; }
succeed() {
    printf '{"type":"result","subtype":"success","is_error":false,"duration_ms":1,"num_turns":1,'
    printf '"result":"%s","total_cost_usd":0.01,"usage":{"input_tokens":3,"output_tokens":5}}\n' "$1"
}
# The runner asks git what a run delivered: a success without a commit is none.
deliver() { git commit -q --allow-empty -m Work && git push -q origin HEAD || exit 1; }
note() { printf '%s' "$2" >"$notes/$1.part.$$" && mv "$notes/$1.part.$$" "$notes/$1"; }
await() {
    left=20000
    until [ -e "$notes/$1" ]; do
        left=$((left - 1))
        [ "$left" -gt 0 ] || exit 1
        sleep 0.02
    done
}
session=$(printf '%s\n' "$@" | sed -n '/^--session-id$/{n;p;q;}')
begin() {
    cat >/dev/null
    printf '{"type":"system","subtype":"init","session_id":"%s","model":"none",' "$session"
    printf '"claude_code_version":"2.0.0","mcp_servers":[]}\n'
}
"#;

/// An agent: a program for the runner to start, and the notes that it exchanges with the test.
#[derive(Clone, Debug)]
pub struct Agent {
    program: PathBuf,
    notes: PathBuf,
}

impl Agent {
    /// An agent that does what this script says. The script may call `begin`, `say <text>`,
    /// `deliver`, `succeed <text>`, `note <name> <text>` and `await <name>`.
    ///
    /// # Panics
    /// When the disk refuses.
    pub fn script(directory: &Path, body: &str) -> Self {
        let notes = directory.join("notes");
        fs::create_dir_all(&notes).expect("a directory can be made");
        let program = directory.join("agent");
        let text = format!("{PROLOGUE}notes='{}'\n{body}\n", notes.display());
        fs::write(&program, text).expect("a file can be written");
        fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).expect("a mode can be set");
        Self { program, notes }
    }

    /// Its program.
    pub fn program(&self) -> &Path {
        &self.program
    }

    /// Leaves it a note.
    ///
    /// # Panics
    /// When the disk refuses.
    pub fn tell(&self, name: &str) {
        fs::write(self.notes.join(name), "").expect("a file can be written");
    }

    /// Takes a note away again.
    pub fn forget(&self, name: &str) {
        // There may be none.
        let _ = fs::remove_file(self.notes.join(name));
    }

    /// Waits for a note of it.
    ///
    /// # Panics
    /// When there is none within minutes.
    pub async fn note(&self, name: &str) -> String {
        let path = self.notes.join(name);
        eventually(&format!("the agent's note {name:?}"), BOUND, async || fs::read_to_string(&path).ok())
            .await
    }

    /// Waits for a note that is the id of a process.
    ///
    /// # Panics
    /// When there is none within minutes, or it is no id.
    pub async fn pid(&self, name: &str) -> i32 {
        self.note(name).await.trim().parse().expect("the note is the id of a process")
    }
}
