//! What a fake could get wrong without anybody noticing: each test has a program that a real server would refuse.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test that cannot go on should stop"
)]

mod access;
mod admission;
mod conversion;
mod definitions;
mod garbage;
mod objects;
mod required;
mod seeding;
mod webhooks;
