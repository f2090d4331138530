//! What a runner calls.
