//! Finds a comment by a part of its id.

use svc_api::tracker::Comment;
use svc_domain::ids::ItemKey;

use super::comments::read_comments;
use crate::failure::Failure;
use crate::output::{one_line, when};
use crate::session::Session;

/// A shorter text is a slip, not a part of an id.
const FEWEST: usize = 4;
/// Characters of a whole id.
const WHOLE: usize = 36;

/// The id of the comment. `wanted` is looked up only if it can be nothing but a part of an id.
///
/// # Errors
/// No comment of the item has such an id (exit code 4), or several have (exit code 2).
pub(in crate::commands) async fn comment_id(
    wanted: &str,
    key: &ItemKey,
    org: &str,
    session: &Session<'_>,
) -> Result<String, Failure> {
    let wanted = wanted.trim_matches(['[', ']']);
    if !is_part(wanted) {
        return Ok(wanted.to_owned());
    }
    let folded = wanted.to_ascii_lowercase();
    let comments = read_comments(key, org, session).await?;
    let meant: Vec<_> = comments
        .iter()
        .filter(|comment| comment.id.starts_with(&folded) || comment.id.ends_with(&folded))
        .collect();
    match meant[..] {
        [] => Err(Failure::not_found(format!("{key} has no comment with the id {wanted:?}"))
            .hint(format!("`svc comment list {key}` lists them with their ids"))),
        [only] => Ok(only.id.clone()),
        _ => {
            let line = |comment: &&Comment| {
                format!("{}  {}, {}", comment.id, one_line(&comment.author.name), when(comment.created_at))
            };
            let lines: Vec<_> = meant.iter().map(line).collect();
            Err(Failure::rejected(format!(
                "several comments on {key} have ids that begin or end with {wanted:?}"
            ))
            .detail(lines.join("\n  "))
            .hint("give more characters of the id, best from its end"))
        }
    }
}

/// Whether the text can only be a part of an id. Any other text goes to the instance as it is.
fn is_part(text: &str) -> bool {
    (FEWEST..WHOLE).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_hexdigit() || byte == b'-')
}

#[cfg(test)]
mod tests {
    use super::is_part;

    #[test]
    fn a_part_of_an_id_is_told_from_a_whole_one() {
        for part in ["0193a6e5", "0193A6E5-0000", "3f2a"] {
            assert!(is_part(part), "{part}");
        }
        for other in ["0193a6e5-0000-7000-8000-000000000001", "3f2", "comment-1", "last", ""] {
            assert!(!is_part(other), "{other}");
        }
    }
}
