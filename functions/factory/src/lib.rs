//! Agents, runners, playbooks, runs, logs and factory settings.
