//! Data of the demo.
