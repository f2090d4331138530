//! Nothing but features. Cargo compiles a crate anew for every set of its features, and a build of some packages turns on
//! fewer than a build of all. Selected together with the programs, this package gives them the features of the whole
//! workspace: what `make demo` compiled, `make test` does not compile again. Releases are built without it.
