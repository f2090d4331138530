//! Opens a text in the person's editor.

use std::io::{Read as _, Write as _};
use std::path::Path;
use std::process::Command;

use tempfile::{Builder, TempPath};

use crate::failure::Failure;
use crate::output::Output;

/// What people have who set no editor.
const USUAL: &str = "vi";

/// A text that was edited. It stays in its file until it was saved where it belongs.
pub(crate) struct Draft {
    pub(crate) text: String,
    path: TempPath,
}

impl Draft {
    /// Keeps the file when saving failed, and says where it is.
    pub(crate) fn saved<T>(self, result: Result<T, Failure>) -> Result<T, Failure> {
        result.map_err(|failure| {
            let detail = match self.path.keep() {
                Ok(path) => format!("your text is kept in {}", path.display()),
                Err(_) => "your text could not be kept".to_owned(),
            };
            let detail = match failure.detail.as_deref() {
                Some(before) => format!("{before}\n  {detail}"),
                None => detail,
            };
            failure.detail(detail)
        })
    }
}

/// Lets the person edit a text; `None` when they left it as it was. `name` begins the name of the file; `instead`
/// says how the text is given without an editor.
///
/// # Errors
/// There is no editor, or it failed.
pub(crate) fn edit(text: &str, name: &str, instead: &str, output: &Output) -> Result<Option<Draft>, Failure> {
    let editor = editor(instead, output)?;
    let doing = |error: std::io::Error| Failure::io("cannot write a draft", &error);
    let name: String = name.chars().map(|c| if c.is_alphanumeric() { c } else { '-' }).collect();
    let mut file = Builder::new().prefix(&format!("svc-{name}-")).suffix(".md").tempfile().map_err(doing)?;
    file.write_all(text.as_bytes()).map_err(doing)?;
    let path = file.into_temp_path();
    open(&editor, &path)?;
    let edited = read(&path)?;
    Ok((edited.trim_end() != text.trim_end()).then_some(Draft { text: edited, path }))
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
/// draft is an argument, and no shell reads that.
fn open(editor: &str, path: &Path) -> Result<(), Failure> {
    let status = Command::new("sh").arg("-c").arg(format!("{editor} \"$@\"")).arg(editor).arg(path).status();
    match status {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => {
            Err(Failure::rejected(format!("the editor {editor:?} ended with {status}; nothing was changed")))
        }
        Err(error) => Err(Failure::io(format_args!("cannot open the editor {editor:?}"), &error)),
    }
}

fn read(path: &Path) -> Result<String, Failure> {
    let mut text = String::new();
    let read = std::fs::File::open(path).and_then(|mut file| file.read_to_string(&mut text));
    read.map(|_| text).map_err(|error| Failure::io("cannot read the draft", &error))
}
