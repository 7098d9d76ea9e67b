//! All markers about the differences between versions, to find those that nothing reads.

use std::collections::BTreeSet;

use kgen_diagnostics::Span;
use kgen_model::{Api, KindVersion, RustContents, RustField, RustPath, RustType, TypeConversion};

/// Returns the places of the markers in all types of these versions, in the order of the source.
pub(super) fn all(api: &Api, versions: &[&KindVersion]) -> Vec<Span> {
    let mut walk = Walk {
        api,
        seen: BTreeSet::new(),
        waiting: Vec::new(),
        found: BTreeSet::new(),
    };
    for rust in versions.iter().filter_map(|version| version.rust.as_ref()) {
        walk.of_type(&rust.conversion);
        walk.fields(&rust.fields);
    }
    while let Some(path) = walk.waiting.pop() {
        walk.path(path);
    }
    walk.found.into_iter().collect()
}

struct Walk<'a> {
    api: &'a Api,
    seen: BTreeSet<&'a RustPath>,
    waiting: Vec<&'a RustPath>,
    found: BTreeSet<Span>,
}

impl<'a> Walk<'a> {
    fn path(&mut self, path: &'a RustPath) {
        if let Some(described) = self.api.rust.structs.get(path) {
            self.of_type(&described.conversion);
            self.fields(&described.fields);
        }
        if let Some(described) = self.api.rust.enums.get(path) {
            self.of_type(&described.conversion);
            for variant in &described.variants {
                let conversion = &variant.conversion;
                let names = [&conversion.from, &conversion.shown].into_iter().flatten();
                self.found.extend(names.map(|name| name.span));
                match &variant.contents {
                    RustContents::Unit => {}
                    RustContents::Fields(fields) => self.fields(fields),
                    // The markers of the variant are those of its value.
                    RustContents::Value(field) => self.types(field),
                }
            }
        }
    }

    fn of_type(&mut self, conversion: &TypeConversion) {
        self.found.extend(conversion.dropped.iter().map(|name| name.span));
        self.found
            .extend(conversion.dropped_variants.iter().map(|variant| variant.span));
    }

    fn fields(&mut self, fields: &'a [RustField]) {
        for field in fields {
            self.found.extend(field.conversion.from_span);
            self.found.extend(field.conversion.custom);
            self.types(field);
        }
    }

    fn types(&mut self, field: &'a RustField) {
        for part in field.field_type.iter().flat_map(RustType::parts) {
            if self.seen.insert(&part.path) {
                self.waiting.push(&part.path);
            }
        }
    }
}
