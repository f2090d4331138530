//! Embedded adapters of the storage ports: SQLite and a directory.
