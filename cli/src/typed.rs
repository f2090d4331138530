//! What was typed so far, before the command line is read: which project and which settings it names.

use crate::aliasing;
use crate::globals::Globals;
use crate::settings::Settings;

/// The project that the words are about: what follows `-p`, or that of an item's key.
pub(crate) fn project(words: &[String]) -> Option<String> {
    let named = value(words, "--project").or_else(|| value(words, "-p"));
    let of_item = || {
        let keys = words.iter().filter_map(|word| crate::keys::item_key(word).ok());
        keys.map(|key| key.project.to_string()).next()
    };
    named.or_else(of_item).or_else(|| default_project(words)).map(|key| key.to_ascii_uppercase())
}

/// The project that a number alone is an item of: the one after -p, else the default one.
pub(crate) fn project_here() -> Option<String> {
    let words = aliasing::texts();
    value(&words, "--project").or_else(|| value(&words, "-p")).or_else(|| default_project(&words))
}

/// The project that commands work in when none is named.
fn default_project(words: &[String]) -> Option<String> {
    Some(Settings::load(&globals(words)).ok()?.project?.value)
}

/// The global settings among the words.
pub(crate) fn globals(words: &[String]) -> Globals {
    let url = value(words, "--url");
    Globals { url, token: value(words, "--token"), org: value(words, "--org"), ..Globals::default() }
}

/// What a flag is given: in the next word, or after an equals sign.
pub(crate) fn value(words: &[String], flag: &str) -> Option<String> {
    let next = words.iter().zip(words.iter().skip(1));
    let apart = next.filter(|(word, _)| *word == flag).map(|(_, value)| value.clone()).next_back();
    let joined = || words.iter().filter_map(|word| word.strip_prefix(flag)?.strip_prefix('=')).next_back();
    apart.or_else(|| joined().map(str::to_owned)).filter(|value| !value.is_empty())
}

#[cfg(test)]
mod tests {
    use super::{project, value};

    fn words(line: &str) -> Vec<String> {
        line.split(' ').map(str::to_owned).collect()
    }

    #[test]
    fn the_project_is_found_in_what_was_typed() {
        assert_eq!(project(&words("svc item create -p prj --labels ")), Some("PRJ".into()));
        assert_eq!(project(&words("svc item create --project=PRJ")), Some("PRJ".into()));
        assert_eq!(project(&words("svc item move abc-12 --state")), Some("ABC".into()));
        assert_eq!(project(&words("svc item move --state")), None);
    }

    #[test]
    fn a_flag_has_the_value_that_follows_it() {
        let line = words("svc --org one item view --org=two --url");
        assert_eq!(value(&line, "--org"), Some("one".into()));
        assert_eq!(value(&line, "--url"), None);
    }
}
