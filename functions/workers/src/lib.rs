//! Queue consumers and the minute tick.
