//! What a user sees, compared as a whole.

use super::*;
use crate::{Code, SourceFile, Span};

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
        "no marker is called `kubebuilder:validation:Minimun`",
    )
    .label("did you mean `kubebuilder:validation:Minimum`?")
    .help("`kgen markers validation` lists this family");
    problems.push(problem.clone());
    problems.push(problem);
    (files, problems)
}

#[test]
fn the_human_form_is_that_of_rustc() {
    let (files, problems) = sample();
    let expected = "\
error[unknown-marker]: no marker is called `kubebuilder:validation:Minimun`
 --> src/api/v1.rs:2:9
  |
2 |     // +kubebuilder:validation:Minimun=1
  |         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ did you mean `kubebuilder:validation:Minimum`?
  |
  = help: `kgen markers validation` lists this family

error[nothing-found]: nothing was found

";
    assert_eq!(Renderer::default().render_all(&problems, &files), expected);
}

#[test]
fn the_json_form_has_a_line_a_problem_and_byte_offsets() {
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
    assert!(text.starts_with(
        "::error title=unknown-marker,file=src/api/v1.rs,line=2,endLine=2,col=9,endColumn=39::no"
    ));
    assert!(text.contains("%0Ahelp: `kgen markers validation`"));
    assert_eq!(text.lines().count(), 2);
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
