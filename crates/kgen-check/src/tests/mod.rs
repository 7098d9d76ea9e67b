//! Examples of good and bad models, with the code that a bad one must get.
//!
//! Every example is also a definition that the real validation code of the API server has judged
//! (`testdata/apiserver`). Both must agree, except for examples that state a reason.

mod bounds;
pub(crate) mod builder;
mod clients;
mod definitions;
mod formats;
mod lists;
pub(crate) mod markers;
mod names;
pub(crate) mod openapi;
mod paths;
mod places;
mod robustness;
mod rules;
mod schemas;
mod values;

use std::collections::BTreeMap;
use std::path::PathBuf;

use kgen_diagnostics::{Code, Policy, Problems};
use kgen_generators::crd::{CrdOptions, definition};
use kgen_model::Api;

use crate::Part;

/// Returns the problems of an API under the strict policy.
pub(crate) fn check(api: &Api) -> Problems {
    check_with(api, &[])
}

/// Returns the problems of an API and its `parts` under the strict policy.
pub(crate) fn check_with(api: &Api, parts: &[Part]) -> Problems {
    let mut problems = Problems::new();
    let checked = crate::check(api, parts, Policy::STRICT, &mut problems);
    assert_eq!(checked.is_none(), problems.has_errors());
    problems
}

/// The verdict of the API server on an example.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Server {
    /// The same as ours.
    Agrees,
    /// It accepts the CRD, which fails later.
    Accepts,
}

/// A model and what the checks must say about it.
#[derive(Clone)]
struct Example {
    name: &'static str,
    api: Api,
    /// The codes of all errors, in order; none for a good model.
    codes: Vec<Code>,
    server: Server,
}

fn good(name: &'static str, api: Api) -> Example {
    Example {
        name,
        api,
        codes: Vec::new(),
        server: Server::Agrees,
    }
}

fn bad(name: &'static str, code: Code, api: Api) -> Example {
    Example {
        name,
        api,
        codes: vec![code],
        server: Server::Agrees,
    }
}

/// Returns an example that the API server accepts, although it cannot work.
fn stricter(name: &'static str, code: Code, api: Api) -> Example {
    Example {
        server: Server::Accepts,
        ..bad(name, code, api)
    }
}

fn examples() -> Vec<Example> {
    let lists = [
        names::examples(),
        schemas::examples(),
        bounds::examples(),
        lists::examples(),
        values::examples(),
        formats::examples(),
        paths::examples(),
        rules::examples(),
    ];
    lists.into_iter().flatten().collect()
}

fn error_codes(api: &Api) -> Vec<Code> {
    check(api)
        .iter()
        .filter(|problem| problem.is_error())
        .map(|problem| problem.code)
        .collect()
}

#[test]
fn every_example_gets_its_codes() {
    for example in examples() {
        let messages: Vec<_> = check(&example.api)
            .into_iter()
            .map(|problem| problem.message)
            .collect();
        assert_eq!(
            error_codes(&example.api),
            example.codes,
            "{}: {messages:#?}",
            example.name
        );
    }
}

#[test]
fn every_message_is_one_line_without_a_full_stop() {
    for example in examples() {
        for problem in check(&example.api) {
            let lines = [
                vec![problem.message.clone(), problem.beside().into_owned()],
                problem.help.clone(),
            ]
            .concat();
            for line in lines {
                assert!(
                    !line.contains('\n') && !line.ends_with('.'),
                    "{}: {line}",
                    example.name
                );
            }
            assert!(
                problem.span.is_some(),
                "{}: {} has no place",
                example.name,
                problem.message
            );
        }
    }
}

#[test]
fn the_api_server_agrees() {
    let table = include_str!("../../testdata/apiserver/verdicts.txt");
    let verdicts: BTreeMap<_, _> = table.lines().filter_map(|line| line.split_once(' ')).collect();
    let examples = examples();
    let names: Vec<_> = examples.iter().map(|example| example.name).collect();
    let mut sorted = names.clone();
    sorted.sort_unstable();
    assert_eq!(
        sorted,
        verdicts.keys().copied().collect::<Vec<_>>(),
        "ask the API server again"
    );
    for example in examples {
        let verdict = verdicts[example.name];
        let refused = verdict.starts_with("refused");
        match example.server {
            Server::Agrees => assert_eq!(refused, !example.codes.is_empty(), "{}: {verdict}", example.name),
            Server::Accepts => assert!(!refused, "{}: {verdict}", example.name),
        }
    }
}

/// Writes all examples as definitions, for the program in `testdata/apiserver`.
#[test]
#[ignore = "only to ask the API server again"]
fn write_the_examples() {
    let folder = PathBuf::from(std::env::var("EXAMPLES").expect("EXAMPLES names the folder to write to"));
    for example in examples() {
        let [resource, ..] = example.api.resources.as_slice() else {
            panic!("{} is empty", example.name)
        };
        let text = definition(resource, &CrdOptions::default(), None).to_string();
        std::fs::write(folder.join(format!("{}.json", example.name)), text).unwrap();
    }
}
