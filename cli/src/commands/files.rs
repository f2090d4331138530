//! Text that a command takes from a file or from stdin.

use std::io::Read as _;
use std::path::{Path, PathBuf};

use crate::editor::without_mark;
use crate::failure::Failure;

/// The text of a file; of stdin where the path is `-`.
pub(super) fn read_text(path: &Path) -> Result<String, Failure> {
    read(path).map(without_mark)
}

fn read(path: &Path) -> Result<String, Failure> {
    if path == Path::new("-") {
        let mut text = String::new();
        let read = std::io::stdin().lock().read_to_string(&mut text);
        return read.map(|_| text).map_err(|error| Failure::rejected(format!("cannot read stdin: {error}")));
    }
    std::fs::read_to_string(path)
        .map_err(|error| Failure::rejected(format!("cannot read {}: {error}", path.display())))
}

/// Refuses to replace a text by a file or stdin without any: what should have written it may have failed.
pub(super) fn check_not_emptied(old: &str, new: &str, from_file: bool) -> Result<(), Failure> {
    if from_file && new.trim().is_empty() && !old.trim().is_empty() {
        return Err(Failure::rejected("the new text is empty; nothing was changed")
            .hint("if that is what you want, give it with -m ''"));
    }
    Ok(())
}

/// The text that stands on the command line, else that of the file, if either is given.
pub(super) fn given(text: Option<String>, path: Option<PathBuf>) -> Result<Option<String>, Failure> {
    match (text, path) {
        (None, Some(path)) => read_text(&path).map(Some),
        (text, _) => Ok(text),
    }
}
