//! Wiki pages and versions.
