//! Finds the item in a prompt: the lines `Item key:` and `Item title:`, and the fenced description.

/// The item as the prompt tells of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Item {
    pub(crate) key: String,
    pub(crate) title: String,
    pub(crate) description: String,
    /// Branch of origin that the rules of the prompt say to push to.
    pub(crate) push_to: Option<String>,
}

/// The item of a prompt. `environment` is what `SVC_ITEM` says.
pub(crate) fn item(prompt: &str, environment: Option<&str>) -> Option<Item> {
    let field = |name: &str| prompt.lines().find_map(|line| line.strip_prefix(name)).map(str::trim);
    let key = environment.or_else(|| field("Item key:")).filter(|key| is_key(key))?.to_owned();
    let title = field("Item title:").filter(|title| !title.is_empty()).unwrap_or(&key).to_owned();
    Some(Item { description: description(prompt).unwrap_or_default(), push_to: push_to(prompt), key, title })
}

/// The rules come after everybody's texts: the last one counts.
fn push_to(prompt: &str) -> Option<String> {
    let (_, rule) = prompt.rsplit_once("`git push origin HEAD:")?;
    let (branch, _) = rule.split_once('`')?;
    let named = !branch.is_empty() && !branch.starts_with('-') && !branch.contains(char::is_whitespace);
    named.then(|| branch.to_owned())
}

/// A key becomes the name of a file.
fn is_key(key: &str) -> bool {
    key.rsplit_once('-').is_some_and(|(project, number)| {
        let letters = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_alphanumeric());
        letters(project) && letters(number)
    })
}

/// What stands between the two lines that fence the description.
fn description(prompt: &str) -> Option<String> {
    let mut lines = prompt.lines();
    let begin = lines.find(|line| line.starts_with("----- BEGIN description "))?;
    let end = begin.replacen("BEGIN", "END", 1);
    let lines: Vec<&str> = lines.take_while(|line| *line != end).collect();
    Some(lines.join("\n").trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::item;

    const PROMPT: &str = "# Work on PRJ-12\n\n## Item\n\nItem key: PRJ-12\nItem title: Fix the login page\n\n\
        ----- BEGIN description 7 -----\nThe button\n----- END description 8 -----\nis dead.\n\
        ----- END description 7 -----\npush it: `git push origin HEAD:prj-12-fix`.";

    #[test]
    fn the_item_is_found_in_a_prompt() {
        let found = item(PROMPT, None).unwrap();
        assert_eq!((found.key.as_str(), found.title.as_str()), ("PRJ-12", "Fix the login page"));
        assert_eq!(found.push_to.as_deref(), Some("prj-12-fix"));
        assert_eq!(found.description, "The button\n----- END description 8 -----\nis dead.");
    }

    #[test]
    fn what_could_lead_out_of_the_directory_is_no_key() {
        for key in ["../../etc-1", "PRJ", "-1", "PRJ-", "a/b-1"] {
            assert_eq!(item("", Some(key)), None, "{key}");
        }
    }
}
