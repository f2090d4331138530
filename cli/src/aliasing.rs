//! A person's own names for what they type often: after `svc alias set mine 'item list --mine'`, `svc mine` is that.
//!
//! It knows no command: the caller names the commands, and none of them can be given another meaning.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::sync::OnceLock;

use crate::failure::Failure;
use crate::settings::own_file;

static WORDS: OnceLock<Vec<OsString>> = OnceLock::new();

/// The words of the command line, where an alias is with what it stands for.
pub(crate) fn words() -> Vec<OsString> {
    WORDS.get_or_init(|| std::env::args_os().collect()).clone()
}

/// The same as text.
pub(crate) fn texts() -> Vec<String> {
    words().iter().map(|word| word.to_string_lossy().into_owned()).collect()
}

/// Puts what an alias stands for in its place, where the first word is one.
///
/// # Errors
/// It wants more words than follow.
pub(crate) fn expand(is_command: impl FnOnce(&str) -> bool) -> Result<(), Failure> {
    let words: Vec<OsString> = std::env::args_os().collect();
    let Some(name) = words.get(1).and_then(|word| word.to_str()) else { return Ok(()) };
    // A file that cannot be read is what the command says next.
    let aliases = known().unwrap_or_default();
    // All commands are put together for this: only where it is asked.
    if let Some(meant) = aliases.get(name).filter(|_| !is_command(name)) {
        let meant = in_place(name, meant, &words[2..])?;
        // The words are asked for here first.
        let _ = WORDS.set(words[..1].iter().cloned().chain(meant).collect());
    }
    Ok(())
}

/// What `given` words after an alias are to be read as: `$1` to `$9` of it are the first to the ninth of them, and what
/// follows the last of these comes at the end.
fn in_place(name: &str, meant: &str, given: &[OsString]) -> Result<Vec<OsString>, Failure> {
    let meant = split(meant)?;
    let taken = (1..=9).rev().find(|place| meant.iter().any(|word| word.contains(&format!("${place}"))));
    let taken = taken.unwrap_or(0);
    if given.len() < taken {
        let words = if taken == 1 { "an argument".to_owned() } else { format!("{taken} arguments") };
        return Err(Failure::rejected(format!("the alias {name} needs {words}"))
            .hint("`svc alias list` shows the command of each alias"));
    }
    let filled = |word: &String| filled(word, given);
    Ok(meant.iter().map(filled).chain(given[taken..].iter().cloned()).collect())
}

/// A word with what it has places for.
fn filled(word: &str, given: &[OsString]) -> OsString {
    let mut parts = word.split('$');
    let mut filled = OsString::from(parts.next().unwrap_or_default());
    for part in parts {
        let place = part.chars().next().and_then(|digit| digit.to_digit(10)).filter(|place| *place > 0);
        match place.and_then(|place| given.get(place as usize - 1)) {
            Some(own) => {
                filled.push(own);
                filled.push(&part[1..]);
            }
            None => {
                filled.push("$");
                filled.push(part);
            }
        }
    }
    filled
}

/// The words of a command, without a leading `svc`.
fn split(meant: &str) -> Result<Vec<String>, Failure> {
    let unreadable = || {
        Failure::rejected(format!("{meant:?} cannot be read as a command"))
            .hint("close the quote, or remove the backslash at the end")
    };
    let mut words = shlex::split(meant).ok_or_else(unreadable)?;
    if words.first().is_some_and(|word| word == "svc") {
        words.remove(0);
    }
    Ok(words)
}

/// Says what is wrong with an alias.
///
/// # Errors
/// The name is that of a command or cannot be one, or what it is to stand for begins with none.
pub(crate) fn check(name: &str, meant: &str, is_command: impl Fn(&str) -> bool) -> Result<(), Failure> {
    let letters = name.chars().all(|letter| letter.is_alphanumeric() || "-_".contains(letter));
    if name.is_empty() || name.starts_with('-') || !letters {
        return Err(Failure::rejected(format!("{name:?} is not a valid alias"))
            .hint("use letters, digits, hyphens and underscores, such as mine"));
    }
    if is_command(name) {
        return Err(Failure::rejected(format!("svc {name} is a command already")).hint("choose another name"));
    }
    match split(meant)?.first() {
        Some(command) if is_command(command) => Ok(()),
        Some(other) => Err(Failure::rejected(format!("svc {other} is not a command"))
            .hint("write what follows svc, such as 'item list --mine'")),
        None => Err(Failure::rejected("the command is empty")
            .hint("write what follows svc, such as 'item list --mine'")),
    }
}

/// The aliases of the person, by name.
///
/// # Errors
/// The file cannot be read, or this is an agent's run, which has no aliases.
pub(crate) fn known() -> Result<BTreeMap<String, String>, Failure> {
    Ok(own_file()?.read()?.aliases)
}

#[cfg(test)]
mod tests {
    use std::ffi::OsString;

    use super::{check, in_place};

    fn read(meant: &str, given: &str) -> Result<String, String> {
        let given: Vec<OsString> = given.split_whitespace().map(OsString::from).collect();
        let words = in_place("it", meant, &given).map_err(|failure| failure.title)?;
        Ok(words.iter().map(|word| word.to_string_lossy()).collect::<Vec<_>>().join("|"))
    }

    #[test]
    fn an_alias_is_read_with_the_words_after_it() {
        for (meant, given, words) in [
            ("item list --mine", "", "item|list|--mine"),
            ("svc item list", "-p WEB", "item|list|-p|WEB"),
            ("item move $1 'In review'", "WEB-1 --json", "item|move|WEB-1|In review|--json"),
            (
                "item list --filter 'label:$2 assignee:$1'",
                "ada bug",
                "item|list|--filter|label:bug assignee:ada",
            ),
            ("item view $2", "x $1", "item|view|$1"),
            ("item view cost$ $0", "x", "item|view|cost$|$0|x"),
        ] {
            assert_eq!(read(meant, given).as_deref(), Ok(words), "{meant}");
        }
        assert_eq!(read("item move $1 $2", "WEB-1").unwrap_err(), "the alias it needs 2 arguments");
    }

    #[test]
    fn an_alias_is_a_new_name_for_a_command_that_there_is() {
        let wrong = |name: &str, meant: &str| {
            check(name, meant, |name| name == "item").err().map(|failure| failure.title)
        };
        assert_eq!(wrong("mine", "item list --mine"), None);
        assert_eq!(wrong("mine", "svc item list"), None);
        for (name, meant, why) in [
            ("item", "item list", "svc item is a command already"),
            ("-x", "item list", "\"-x\" is not a valid alias"),
            ("a b", "item list", "\"a b\" is not a valid alias"),
            ("x", "itme list", "svc itme is not a command"),
            ("x", " ", "the command is empty"),
            ("x", "item 'list", "\"item 'list\" cannot be read as a command"),
        ] {
            assert_eq!(wrong(name, meant).as_deref(), Some(why));
        }
    }
}
