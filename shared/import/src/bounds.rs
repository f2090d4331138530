//! How much an export may have.

/// How much may be found.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// Bytes of each kind of records, and those that a packed file unpacks to.
    pub unpacked: u64,
    /// People, labels, milestones and sprints together.
    pub names: usize,
    /// Different states, types and priorities together.
    pub words: usize,
    /// Whether the files of attachments are taken out of a packed export.
    pub takes_files: bool,
}

impl Bounds {
    /// What a person's own machine has room for.
    pub const NONE: Self =
        Self { unpacked: u64::MAX, names: usize::MAX, words: usize::MAX, takes_files: true };
}
