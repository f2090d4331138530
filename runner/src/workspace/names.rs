//! The refs of a run: what each is to people, and the name that it is kept under.

/// The pairs of a listing, `object text`.
pub(super) fn pairs(listed: &str) -> impl Iterator<Item = (&str, &str)> {
    listed.lines().filter_map(|line| line.split_once(' '))
}

/// What a ref is to people, and its name as that; none for what is copied, or no work of its own.
pub(super) fn kind_of(full: &str) -> Option<(&'static str, &str)> {
    const OTHERS: [&str; 7] = ["remotes/", "svc/", "stash", "replace/", "bisect/", "rewritten/", "worktree/"];
    let name = full.strip_prefix("refs/")?;
    if let Some(branch) = name.strip_prefix("heads/") {
        return Some(("branch", branch));
    }
    if let Some(tag) = name.strip_prefix("tags/") {
        return Some(("tag", tag));
    }
    (!OTHERS.iter().any(|other| name.starts_with(other))).then_some(("ref", name))
}

/// A name as a part of a ref and of a command that people copy: other characters than these are written `%C3%A4`.
pub(super) fn plain_name(name: &str) -> String {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"._/-".contains(&byte);
    let write = |byte: u8| if is_plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") };
    name.bytes().map(write).collect()
}
