//! What is made of texts that people write. Pure: reads no store and knows no caller.

pub mod diff;
pub mod markdown;
pub mod merge;
