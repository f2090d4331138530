//! Configuration to adapters, telemetry, clock and ids; the only room that names adapters.
