//! Tests of the whole generator.
