//! Sign-in, tokens, organizations and members.
