//! The same API as a Go module, for controller-gen.

use std::fmt::Write;

use super::{Api, Body, Field, File, Kind, Type, Value, names};

/// The module that the Go types import; the version that controller-gen itself was built with.
const APIMACHINERY: &str = "k8s.io/apimachinery v0.37.0";

/// Returns the files of the module.
pub fn files(api: &Api) -> Vec<File> {
    let manifest = format!("module example.org/bench\n\ngo 1.24.0\n\nrequire {APIMACHINERY}\n");
    let mut files = vec![("go.mod".to_owned(), manifest)];
    for group in &api.groups {
        let folder = format!("api/group{:03}/{}", group.number, group.version);
        let head = format!(
            "// Package {0} is one group of the benchmark.\n//\n// +groupName={1}\npackage {0}\n",
            group.version,
            group.name()
        );
        files.push((format!("{folder}/doc.go"), head));
        let kinds = group.kinds.iter();
        files.extend(kinds.map(|kind| {
            (
                format!("{folder}/{}_types.go", names::file(&kind.name)),
                source(kind, group.version),
            )
        }));
    }
    files
}

const IMPORTS: &str = r#"import (
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
)
"#;

fn source(kind: &Kind, package: &str) -> String {
    let mut text = format!("package {package}\n\n{IMPORTS}");
    for declared in &kind.types {
        declaration(declared, &mut text);
    }
    text
}

fn declaration(declared: &Type, text: &mut String) {
    text.push('\n');
    declared.comment.write("//", text);
    let name = &declared.name;
    // Writing to a string cannot fail.
    match &declared.body {
        Body::Kind(list) => {
            let _ = writeln!(text, "type {name} struct {{");
            text.push_str(
                "\tmetav1.TypeMeta   `json:\",inline\"`\n\tmetav1.ObjectMeta `json:\"metadata,omitempty\"`\n",
            );
            list.iter().for_each(|each| field(each, text));
            text.push_str("}\n");
        }
        Body::Struct(list) => {
            let _ = writeln!(text, "type {name} struct {{");
            list.iter().for_each(|each| field(each, text));
            text.push_str("}\n");
        }
        Body::Choice(values) => {
            // A Rust enum corresponds to a marker in Go.
            let _ = writeln!(
                text,
                "// +kubebuilder:validation:Enum={}\ntype {name} string\n\nconst (",
                values.join(";")
            );
            values.iter().for_each(|value| {
                let _ = writeln!(text, "\t{name}{value} {name} = \"{value}\"");
            });
            text.push_str(")\n");
        }
    }
}

fn field(field: &Field, text: &mut String) {
    text.push('\n');
    field.comment.write("\t//", text);
    let (inner, by_pointer) = match &field.value {
        Value::Text => ("string".to_owned(), true),
        Value::Texts => ("[]string".to_owned(), false),
        Value::TextMap => ("map[string]string".to_owned(), false),
        Value::Int32 => ("int32".to_owned(), true),
        Value::Int64 => ("int64".to_owned(), true),
        Value::Bool => ("bool".to_owned(), true),
        Value::Quantity => ("resource.Quantity".to_owned(), true),
        Value::IntOrString => ("intstr.IntOrString".to_owned(), true),
        Value::Time => ("metav1.Time".to_owned(), true),
        Value::One(name) => (name.clone(), true),
        Value::Many(name) => (format!("[]{name}"), false),
    };
    let pointer = if field.optional && by_pointer { "*" } else { "" };
    let omitted = if field.optional { ",omitempty" } else { "" };
    let (name, json) = (names::pascal(&field.words), names::camel(&field.words));
    let _ = writeln!(text, "\t{name} {pointer}{inner} `json:\"{json}{omitted}\"`");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_have_docs_markers_and_a_tag() {
        let (path, text) = files(&Api::of_size(1).unwrap()).pop().unwrap();
        assert_eq!(path, "api/group000/v1/amber_anchor_types.go");
        let expected = "
\t// When the image is fetched again.
\t// +kubebuilder:validation:Enum=Always;Never;IfNotPresent
\t// +kubebuilder:default=IfNotPresent
\tImagePullPolicy *string `json:\"imagePullPolicy,omitempty\"`
";
        assert!(text.contains(expected), "{text}");
    }
}
