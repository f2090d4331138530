//! What may not change within v1 (specification section 9.3): a comparison of two OpenAPI documents that names
//! each change which would break a client of the older one.
//!
//! Knows documents only; the tests give it the released one and the one that the code writes.

mod breaking;
mod inlined;
mod schema;

pub use breaking::breaking_changes;
pub use inlined::inlined;
