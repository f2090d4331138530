//! The runner: supervisor, driver, workspaces, harness adapters, log pipeline.
