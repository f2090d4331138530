//! The axum kit: caller extraction, problem documents, paging, rate limit, OpenAPI helpers, serving.
