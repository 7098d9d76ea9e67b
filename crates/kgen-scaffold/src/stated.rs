//! What the types of a kind state about its resource, in the form that the templates have: a marker, or lines of `#[kube(…)]`.

/// Names and scope of a resource.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Stated {
    pub(crate) plural: Option<String>,
    pub(crate) shorts: Vec<String>,
    pub(crate) cluster: bool,
}

/// Reads the source of the types.
pub(crate) fn read(text: &str) -> Stated {
    let mut stated = Stated::default();
    let mut is_kube = false;
    let mut is_namespaced = false;
    for line in text.lines().map(str::trim) {
        if let Some(arguments) = line.strip_prefix("// +kubebuilder:resource:") {
            for (name, value) in arguments
                .split(',')
                .filter_map(|argument| argument.split_once('='))
            {
                match name {
                    "path" => stated.plural = Some(value.to_owned()),
                    "shortName" => stated.shorts = value.split(';').map(str::to_owned).collect(),
                    "scope" => stated.cluster = value == "Cluster",
                    _ => {}
                }
            }
        }
        is_kube |= line.starts_with("#[kube(");
        is_namespaced |= line == "namespaced," || line == "namespaced";
        if let Some((name, value)) = line.split_once(" = ") {
            let value = value.trim_end_matches(',').trim_matches('"').to_owned();
            match name {
                "plural" => stated.plural = Some(value),
                "shortname" => stated.shorts.push(value),
                _ => {}
            }
        }
    }
    stated.cluster |= is_kube && !is_namespaced;
    stated
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_styles_are_read() {
        let expected = |cluster| Stated {
            plural: Some("books".to_owned()),
            shorts: vec!["gb".to_owned(), "b".to_owned()],
            cluster,
        };
        let marker =
            "// +kubebuilder:resource:path=books,shortName=gb;b,scope=Cluster\npub struct Guestbook {}";
        assert_eq!(read(marker), expected(true));
        let attribute = "#[kube(\n    plural = \"books\",\n    shortname = \"gb\",\n    shortname = \"b\",\n    namespaced,\n)]";
        assert_eq!(read(attribute), expected(false));
        assert_eq!(read(&attribute.replace("    namespaced,\n", "")), expected(true));
        assert_eq!(read("pub struct Guestbook {}"), Stated::default());
    }
}
