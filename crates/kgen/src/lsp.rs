//! `kgen lsp`: the language server on standard input and output.

use std::io::{self, BufReader};
use std::path::Path;

use kgen_diagnostics::{Code, Format, Problem};
use kgen_lsp::Configure;

use crate::call::{Request, RunCall};
use crate::generate;
use crate::terminal::{Exit, Terminal};

/// Serves one editor.
pub(crate) fn run(call: RunCall, terminal: Terminal) -> Exit {
    let has_arguments = matches!(call.request, Request::OneOff { .. }) || call.config.is_some();
    // Problems of arguments have no place in an editor, as in a workflow.
    let without_places = Terminal {
        format: Format::Github,
        ..terminal
    };
    let configure =
        move |folder: &Path, _| generate::configuration_in(folder.to_owned(), &call, without_places);
    let configure = has_arguments.then(|| Box::new(configure) as Configure);
    let input = BufReader::new(io::stdin());
    match kgen_lsp::serve(input, io::stdout().lock(), io::stderr(), configure) {
        Ok(true) => Exit::Fine,
        // The protocol wants an error if the client exits without a shutdown.
        Ok(false) => Exit::Problems,
        Err(error) => terminal.problem(Problem::general(
            Code::Io,
            format!("the connection to the editor failed: {error}"),
        )),
    }
}
