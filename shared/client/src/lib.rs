//! Typed HTTP client of the API: retry, problem parsing, deprecation notices.
