//! The `kgen` command: arguments in, text and an exit code out. All work is done by `kgen-build`.

#![cfg_attr(not(test), deny(clippy::disallowed_methods))]

mod call;
mod command;
mod compare;
mod compare_command;
mod completion;
mod diff;
mod drift;
mod fix;
mod generate;
mod import;
mod lint;
#[cfg(feature = "lsp")]
mod lsp;
#[cfg(any(test, feature = "man"))]
mod man;
mod progress;
mod reference;
mod scaffold;
mod scaffold_command;
mod terminal;
mod timings;
mod version;
mod watch;

use std::process::ExitCode;

/// Reading source allocates by the million; the allocator of the system takes a third longer for it.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    let arguments: Vec<_> = std::env::args_os().collect();
    if let Some(exit) = completion::answer(&arguments) {
        return exit.into();
    }
    match call::read(arguments) {
        Ok((call, terminal)) => call::answer(call, terminal),
        Err(refusal) => refusal.show(),
    }
    .into()
}
