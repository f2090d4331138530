//! svc-server: all routers and workers in one process.
