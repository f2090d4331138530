//! Use cases: load, decide, commit.
