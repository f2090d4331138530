//! The OpenAPI document and the interactive reference.
