mod autocomplete;
mod generate;
mod lists;
mod model;
