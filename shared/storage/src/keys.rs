//! The whole key design.
