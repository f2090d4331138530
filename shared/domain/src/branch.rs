//! The branch that carries an item's work: lowercased item key and a short slug of the title. Other letters than ASCII
//! are written with those that come nearest (`Größe` is `grosse`). A run keeps the branch that it was given.

use crate::ids::{ItemKey, RunId};

/// Longest slug of a title, in bytes.
const MAX_SLUG: usize = 40;

/// Branch of an item: `prj-12-short-title`. What git would not accept never gets in, and it begins with a
/// letter.
pub fn of_item(key: &ItemKey, title: &str) -> String {
    let key = key.to_string().to_lowercase();
    let slug = slug(title);
    if slug.is_empty() { key } else { format!("{key}-{slug}") }
}

/// Branch of a further run from a fresh checkout: that of the item, and the end of the run's id, so that it
/// never meets a branch which an earlier run pushed.
pub fn of_further_run(key: &ItemKey, title: &str, run: RunId) -> String {
    let id = run.0.simple().to_string();
    format!("{}-{}", of_item(key, title), &id[id.len() - 6..])
}

/// The item that a branch is named after: `PRJ-12` for `prj-12-short-title`.
pub fn item_of(branch: &str) -> Option<ItemKey> {
    let (project, rest) = branch.split_once('-')?;
    let number = rest.split_once('-').map_or(rest, |(number, _slug)| number);
    format!("{}-{number}", project.to_ascii_uppercase()).parse().ok()
}

/// Lower-case ASCII words joined by hyphens, cut at a word's end where one is near.
fn slug(title: &str) -> String {
    let mut slug = String::new();
    let title = deunicode::deunicode(title);
    for word in title.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty()) {
        let separator = usize::from(!slug.is_empty());
        if slug.len() + separator + word.len() > MAX_SLUG {
            if slug.is_empty() {
                slug.push_str(&word[..MAX_SLUG]);
            }
            break;
        }
        if separator == 1 {
            slug.push('-');
        }
        slug.push_str(word);
    }
    slug.to_ascii_lowercase()
}

#[cfg(test)]
mod tests {
    use super::{item_of, of_further_run, of_item};
    use crate::ids::{ItemKey, RunId};
    use crate::playbook::is_branch_name;
    use proptest::prelude::{any, proptest};
    use uuid::Uuid;

    fn key() -> ItemKey {
        "PRJ-12".parse().unwrap()
    }

    #[test]
    fn a_branch_is_key_and_short_slug() {
        assert_eq!(of_item(&key(), "Fix the login page!"), "prj-12-fix-the-login-page");
        assert_eq!(of_item(&key(), "Größe ändern"), "prj-12-grosse-andern");
        assert_eq!(of_item(&key(), "Gro\u{308}ße a\u{308}ndern"), "prj-12-grosse-andern");
        assert_eq!(of_item(&key(), "Изменить размер"), "prj-12-izmenit-razmer");
        assert_eq!(of_item(&key(), "\u{65e5}\u{672c}"), "prj-12-ri-ben");
        assert_eq!(of_item(&key(), "– \u{e000} …"), "prj-12");
        assert_eq!(of_item(&key(), "--force"), "prj-12-force");
        assert_eq!(
            of_item(&key(), "A title that goes on and on until nobody wants to read it any more"),
            "prj-12-a-title-that-goes-on-and-on-until-nobody"
        );
        assert_eq!(of_item(&key(), &"x".repeat(100)), format!("prj-12-{}", "x".repeat(40)));
    }

    #[test]
    fn a_further_run_has_a_branch_of_its_own() {
        let run = RunId(Uuid::from_u128(0xabcdef));
        assert_eq!(of_further_run(&key(), "Fix it", run), "prj-12-fix-it-abcdef");
    }

    #[test]
    fn a_branch_names_its_item() {
        assert_eq!(item_of("prj-12-fix-the-login-page"), Some(key()));
        assert_eq!(item_of("prj-12"), Some(key()));
        for other in ["main", "fix-login", "release-1.2", "prj-", "prj--12", ""] {
            assert_eq!(item_of(other), None, "{other}");
        }
    }

    proptest! {
        #[test]
        fn every_branch_names_its_item(title in ".{0,300}", id in any::<u128>()) {
            assert_eq!(item_of(&of_item(&key(), &title)), Some(key()));
            assert_eq!(item_of(&of_further_run(&key(), &title, RunId(Uuid::from_u128(id)))), Some(key()));
        }

        #[test]
        fn git_accepts_the_branch_of_any_title(title in ".{0,300}", id in any::<u128>()) {
            assert!(is_branch_name(&of_item(&key(), &title)));
            assert!(is_branch_name(&of_further_run(&key(), &title, RunId(Uuid::from_u128(id)))));
        }
    }
}
