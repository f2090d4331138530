//! Saves a text that was edited in an editor, also when another change was saved meanwhile and does no harm.
//!
//! 1. The text goes out under the version that the person saw.
//! 2. If there is another version by now, the thing is read again. If its text is still the one that the person saw,
//!    only something else changed, such as a state: the text goes out under the new version.
//! 3. If others changed other lines of the text, both changes are saved together; a person at a terminal is asked.
//! 4. Otherwise nothing is saved, and the draft stays in its file.

use crate::editor::{Draft, unless_interrupted};
use crate::failure::Failure;
use crate::joining::{Joined, join};
use crate::output::Output;

/// Others who save that often at the same time will not stop.
const ATTEMPTS: usize = 10;

/// A text of the instance that a person edits.
pub(crate) trait Revised {
    /// The thing as it was read.
    type Seen;
    /// What saving answers.
    type Saved;

    /// Reads the thing as it is now.
    async fn read(&self) -> Result<Self::Seen, Failure>;

    /// The text as it is edited.
    fn text(&self, seen: &Self::Seen) -> String;

    /// The version that was seen.
    fn version(&self, seen: &Self::Seen) -> u64;

    /// The author of the text that was seen, if known.
    async fn author(&self, seen: &Self::Seen) -> Option<String>;

    /// Sends the text under the version that was seen.
    async fn write(&self, seen: &Self::Seen, text: &str) -> Result<Self::Saved, Failure>;

    /// The command that shows the text.
    fn read_with(&self) -> String;
}

/// Saves the draft of what was `seen`. It stays where that failed.
///
/// # Errors
/// The text changed meanwhile (exit code 3), or it cannot be saved.
pub(crate) async fn save<R: Revised>(
    draft: Draft,
    seen: R::Seen,
    thing: &R,
    output: &Output,
) -> Result<R::Saved, Failure> {
    match attempted(draft.text.clone(), seen, thing, output).await {
        Ok(saved) => Ok(saved),
        Err(failure) => Err(draft.unsaved(failure)),
    }
}

async fn attempted<R: Revised>(
    mut text: String,
    mut seen: R::Seen,
    thing: &R,
    output: &Output,
) -> Result<R::Saved, Failure> {
    for _ in 0..ATTEMPTS {
        let failure = match unless_interrupted(thing.write(&seen, &text)).await {
            Err(failure) if failure.is_stale() => failure,
            done => return done,
        };
        let now = unless_interrupted(thing.read()).await?;
        let (before, theirs) = (thing.text(&seen), thing.text(&now));
        if before != theirs {
            let (theirs, by) = ((theirs.as_str(), thing.version(&now)), async || thing.author(&now).await);
            text = match join(&before, &text, theirs, by, output).await? {
                Joined::Both(both) => both,
                Joined::Disputed | Joined::Unwanted => return Err(disputed(failure, &thing.read_with())),
            };
        }
        seen = now;
    }
    Err(Failure::conflict("others keep saving at the same time; your text was not saved")
        .hint("try again later"))
}

fn disputed(failure: Failure, read_with: &str) -> Failure {
    failure.hint(format!(
        "read their text with `{read_with}`, copy what you want to keep into the file, then continue with it"
    ))
}
