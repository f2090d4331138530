mod autocomplete;
mod generate;
mod lists;
mod model;
mod snapshot;
mod vectors;
