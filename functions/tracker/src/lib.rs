//! Projects, workflow, items, claims, comments, history.
