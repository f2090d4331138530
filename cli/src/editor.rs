//! Opens a text in the person's editor.

use std::io::Write as _;
use std::path::Path;

use tempfile::{Builder, TempPath};
use tokio::process::Command;

use crate::failure::Failure;
use crate::output::{Interrupts, Output};

/// What people have who set no editor.
const USUAL: &str = "vi";

/// A text that was edited. It stays in its file until it was saved where it belongs.
pub(crate) struct Draft {
    pub(crate) text: String,
    path: TempPath,
}

impl Draft {
    /// Waits until the text is saved. Keeps the file when that failed or the person gave up, and says where it is.
    pub(crate) async fn saved<T>(
        self,
        saving: impl Future<Output = Result<T, Failure>>,
    ) -> Result<T, Failure> {
        let mut interrupts = Interrupts::from_now();
        let result = tokio::select! {
            result = saving => result,
            () = interrupts.next() => Err(Failure::interrupted("stopped before the answer came; look whether it was saved")),
        };
        result.map_err(|failure| self.unsaved(failure))
    }

    /// Keeps the file, since the text could not be saved; answers the failure with the place where it stays.
    pub(crate) fn unsaved(self, failure: Failure) -> Failure {
        kept(self.path, failure)
    }
}

/// The failure of a draft, with the place where its file stays.
fn kept(path: TempPath, failure: Failure) -> Failure {
    let detail = match path.keep() {
        Ok(path) => format!("your text is kept in {}", path.display()),
        Err(_) => "your text could not be kept".to_owned(),
    };
    let detail = match failure.detail.as_deref() {
        Some(before) => format!("{before}\n  {detail}"),
        None => detail,
    };
    failure.detail(detail)
}

/// Lets the person edit a text; `None` when they left it as it was, or emptied the file, which as in git means that
/// they changed their mind. `name` begins the name of the file; `instead` says how the text is given without an
/// editor.
///
/// # Errors
/// There is no editor, or it failed. What it wrote by then is kept.
pub(crate) async fn edit(
    text: &str,
    name: &str,
    instead: &str,
    output: &Output,
) -> Result<Option<Draft>, Failure> {
    let editor = editor(instead, output)?;
    let doing = |error: std::io::Error| Failure::io("cannot write a draft", &error);
    let name: String = name.chars().map(|c| if c.is_alphanumeric() { c } else { '-' }).collect();
    let mut file = Builder::new().prefix(&format!("svc-{name}-")).suffix(".md").tempfile().map_err(doing)?;
    file.write_all(text.as_bytes()).map_err(doing)?;
    let path = file.into_temp_path();
    let opened = open(&editor, &path).await;
    let edited = match std::fs::read(&path) {
        Ok(edited) => edited,
        Err(error) => {
            return Err(opened.err().unwrap_or_else(|| Failure::io("cannot read the draft", &error)));
        }
    };
    let changed = edited.trim_ascii() != text.as_bytes().trim_ascii();
    let emptied = edited.trim_ascii().is_empty();
    match (opened, String::from_utf8(edited)) {
        (Err(failure), _) => Err(if changed && !emptied { kept(path, failure) } else { failure }),
        (Ok(()), _) if emptied && changed => {
            output.say("The file is empty: nothing was changed.");
            Ok(None)
        }
        (Ok(()), _) if !changed => {
            output.say("Nothing was changed.");
            Ok(None)
        }
        (Ok(()), Ok(text)) => Ok(Some(Draft { text, path })),
        (Ok(()), Err(_)) => {
            Err(kept(path, Failure::rejected("the file is not UTF-8 text; nothing was changed")))
        }
    }
}

fn editor(instead: &str, output: &Output) -> Result<String, Failure> {
    let set = |name| std::env::var(name).ok().filter(|value| !value.trim().is_empty());
    match set("SVC_EDITOR").or_else(|| set("VISUAL")).or_else(|| set("EDITOR")) {
        Some(editor) => Ok(editor),
        None if output.can_ask() => Ok(USUAL.to_owned()),
        None => {
            Err(Failure::rejected("there is no editor to open").hint(format!("set EDITOR, or {instead}")))
        }
    }
}

/// Runs the editor as git does: what the person set may have arguments, so a shell reads it. The path of the
/// draft is an argument, and no shell reads that. Ctrl-C is for the editor.
async fn open(editor: &str, path: &Path) -> Result<(), Failure> {
    let command = format!("{editor} \"$@\"");
    let mut interrupts = Interrupts::from_now();
    let mut shell = Command::new("sh");
    let status = shell.arg("-c").arg(command).arg(editor).arg(path).status();
    tokio::pin!(status);
    let status = loop {
        tokio::select! {
            status = &mut status => break status,
            () = interrupts.next() => {}
        }
    };
    // One that came at the end may not have been told yet. It is the editor's, too, so it is told before anybody else
    // waits for one.
    tokio::task::yield_now().await;
    match status {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => {
            Err(Failure::rejected(format!("the editor {editor:?} ended with {status}; nothing was changed")))
        }
        Err(error) => Err(Failure::io(format_args!("cannot open the editor {editor:?}"), &error)),
    }
}
