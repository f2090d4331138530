//! Text that a command takes from a file or from stdin.

use std::io::Read as _;
use std::path::Path;

use crate::failure::Failure;

/// The text of a file; of stdin where the path is `-`.
pub(super) fn read_text(path: &Path) -> Result<String, Failure> {
    if path == Path::new("-") {
        let mut text = String::new();
        let read = std::io::stdin().lock().read_to_string(&mut text);
        return read.map(|_| text).map_err(|error| Failure::rejected(format!("cannot read stdin: {error}")));
    }
    std::fs::read_to_string(path)
        .map_err(|error| Failure::rejected(format!("cannot read {}: {error}", path.display())))
}
