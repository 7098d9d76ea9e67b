//! Rendered problems, compared as a whole.

use super::*;
use crate::{Code, Fix, Near, SourceFile, Span};

fn sample() -> (Files, Problems) {
    let mut files = Files::default();
    let text = "pub struct Foo {\n    // +kubebuilder:validation:Minimun=1\n    pub size: i32,\n}\n";
    let id = files.add(SourceFile::new("src/api/v1.rs", text));
    let start = text.find("kubebuilder").unwrap();
    let span = Span::of(id, start..start + 30);
    let mut problems = Problems::new();
    problems.push(Problem::general(Code::NothingFound, "nothing was found"));
    let problem = Problem::error(
        Code::UnknownMarker,
        span,
        "there is no marker `kubebuilder:validation:Minimun`",
    )
    .fix(
        span,
        Near {
            word: "kubebuilder:validation:Minimum",
            is_certain: true,
        },
    )
    .help("run `kgen markers validation` to list this family");
    problems.push(problem.clone());
    problems.push(problem);
    (files, problems)
}

#[test]
fn the_human_form_is_that_of_rustc() {
    let (files, problems) = sample();
    insta::assert_snapshot!(Renderer::default().render_all(&problems, &files), @"
    error[unknown-marker]: there is no marker `kubebuilder:validation:Minimun`
     --> src/api/v1.rs:2:9
      |
    2 |     // +kubebuilder:validation:Minimun=1
      |         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ did you mean `kubebuilder:validation:Minimum`?
      |
      = help: run `kgen markers validation` to list this family

    error[nothing-found]: nothing was found
    ");
}

#[test]
fn the_json_form_has_one_line_per_problem_and_byte_offsets() {
    let (files, problems) = sample();
    let text = Renderer {
        format: Format::Json,
        color: false,
    }
    .render_all(&problems, &files);
    let lines: Vec<serde_json::Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(lines.len(), 2);
    assert_eq!(lines[0]["code"], "unknown-marker");
    assert_eq!(lines[0]["line"], 2);
    assert_eq!(lines[0]["column"], 9);
    assert_eq!(lines[0]["byte_start"], 25);
    assert_eq!(lines[0]["byte_end"], 55);
    assert_eq!(
        lines[0]["help"][0],
        "did you mean `kubebuilder:validation:Minimum`?"
    );
    assert!(lines[1].get("file").is_none());
}

#[test]
fn the_github_form_escapes_what_ends_a_command() {
    let (files, problems) = sample();
    let text = Renderer {
        format: Format::Github,
        color: false,
    }
    .render_all(&problems, &files);
    insta::assert_snapshot!(text, @"
    ::error title=unknown-marker,file=src/api/v1.rs,line=2,endLine=2,col=9,endColumn=39::there is no marker `kubebuilder:validation:Minimun`: did you mean `kubebuilder:validation:Minimum`?%0Ahelp: run `kgen markers validation` to list this family
    ::error title=nothing-found::nothing was found
    ");
}

#[test]
fn places_beyond_the_text_or_inside_a_character_are_drawn_all_the_same() {
    let mut files = Files::default();
    let id = files.add(SourceFile::new("a.rs", "// ü"));
    for range in [0..99, 4..5, 50..60] {
        let problem = Problem::error(Code::Syntax, Span::of(id, range), "odd place");
        for format in [Format::Human, Format::Json, Format::Github] {
            assert!(
                Renderer { format, color: true }
                    .render(&problem, &files)
                    .contains("odd place")
            );
        }
    }
}

#[test]
fn the_edits_in_json_are_bytes_of_the_file_on_disk() {
    // A byte order mark, characters of several bytes, CRLF, and quotes that stay.
    let text = "\u{feff}// grün\r\n    // +scope=\"clustr\" // ü\r\npub size: i32,\r\n";
    let mut files = Files::default();
    let id = files.add(SourceFile::new("src/v1.rs", text));
    let without_mark = files.get(id).unwrap().text().to_owned();
    let at = |part: &str| {
        let start = without_mark.find(part).unwrap();
        Span::of(id, start..start + part.len())
    };
    let near = Near {
        word: "Cluster",
        is_certain: true,
    };
    let line = at("pub size");
    let problem = Problem::error(Code::MarkerValue, at("\"clustr\""), "no such scope")
        .fix(at("\"clustr\""), near)
        .with_fix(
            Fix::replace(Span::new(id, line.start, line.start), "// +note\n")
                .and(at(" // ü"), "")
                .uncertain(),
        );
    let text_of = |edit: &serde_json::Value| {
        let byte = |name: &str| usize::try_from(edit[name].as_u64().unwrap()).unwrap();
        text.get(byte("byte_start")..byte("byte_end")).unwrap().to_owned()
    };
    let renderer = Renderer {
        format: Format::Json,
        color: false,
    };
    let line: serde_json::Value = serde_json::from_str(&renderer.render(&problem, &files)).unwrap();
    assert_eq!(line["help"][0], "did you mean `Cluster`?");
    let fixes = line["fixes"].as_array().unwrap();
    assert_eq!(fixes.len(), 2);
    assert_eq!(fixes[0]["applicability"], "MachineApplicable");
    let edit = &fixes[0]["edits"][0];
    assert_eq!(
        (text_of(edit).as_str(), &edit["replacement"]),
        ("clustr", &"Cluster".into())
    );
    assert_eq!(
        (&edit["line"], &edit["column"], &edit["end_column"]),
        (&2.into(), &16.into(), &22.into())
    );
    assert_eq!(edit["file"], "src/v1.rs");
    assert_eq!(fixes[1]["applicability"], "MaybeIncorrect");
    let edits = fixes[1]["edits"].as_array().unwrap();
    assert_eq!(
        (text_of(&edits[0]).as_str(), &edits[0]["replacement"]),
        ("", &"// +note\r\n".into())
    );
    assert_eq!((&edits[0]["line"], &edits[0]["column"]), (&3.into(), &1.into()));
    assert_eq!(
        (text_of(&edits[1]).as_str(), &edits[1]["replacement"]),
        (" // ü", &"".into())
    );
}
