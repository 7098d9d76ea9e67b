//! Access rules and webhooks for tests, from marker lines that the reader of kgen-markers reads.

use kgen_diagnostics::{Files, SourceFile};
use kgen_model::Api;

/// Returns the API of a text with one marker per line, and the file that its spans refer to.
pub(crate) fn read(text: &str) -> (Api, Files) {
    let mut files = Files::default();
    let file = files.add(SourceFile::new("markers.txt", text));
    let (api, problems) = kgen_markers::read_api(file, text);
    assert!(problems.is_empty(), "{problems:?}");
    (api, files)
}
