//! Decides which generator wrote a file, by the first line of the file.
//!
//! Only the schemas of a conversion have no such line: the runtime reads them as they are.
//! They belong to the code that includes them.

use std::path::Path;

use kgen_generators::rust::conversion;
use kgen_model::GeneratedLine;

use crate::view::View;

/// Returns the name of the generator that wrote a file, or `None` if kgen did not write it.
pub(crate) fn generator(view: View<'_>, path: &Path) -> Option<String> {
    let own = named(&view.first_line(path));
    own.or_else(|| {
        let code = path.with_extension("rs");
        let name = path.file_name()?.to_str()?;
        let generator = named(&view.first_line(&code)).filter(|name| name == conversion::GENERATOR)?;
        let text = view.read_text(&code).ok()?;
        conversion::includes(&text, name).then_some(generator)
    })
}

fn named(first_line: &str) -> Option<String> {
    GeneratedLine::of_text(first_line).map(|line| line.generator.to_owned())
}
