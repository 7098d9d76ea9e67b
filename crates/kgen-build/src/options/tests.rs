//! Every declared option is the same option wherever the user can write it.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use super::*;
use crate::configure;
use crate::generator::{GENERATORS, Generator};
use crate::{parse_arguments, read_project_file};

/// Returns a value that differs from the default wherever that is possible, as text of the argument form and of TOML.
fn sample(option: &OptionDescription) -> (OptionValue, String, String) {
    match option.value {
        OptionType::Boolean => {
            let value = option.default() != Some(OptionValue::Boolean(true));
            (OptionValue::Boolean(value), value.to_string(), value.to_string())
        }
        OptionType::Integer => (OptionValue::Integer(7), "7".to_owned(), "7".to_owned()),
        OptionType::Text | OptionType::File | OptionType::InTable(_) | OptionType::Contact(_) => (
            OptionValue::Text("other".to_owned()),
            "other".to_owned(),
            "\"other\"".to_owned(),
        ),
        OptionType::Word(words) => {
            let last = words.last().copied().unwrap_or_default();
            (
                OptionValue::Text(last.to_owned()),
                last.to_owned(),
                format!("\"{last}\""),
            )
        }
        OptionType::Texts | OptionType::Contacts(_) => (
            OptionValue::Words(vec!["other".to_owned()]),
            "other".to_owned(),
            "[\"other\"]".to_owned(),
        ),
        OptionType::Words(words) => {
            let last = words.last().copied().unwrap_or_default();
            (
                OptionValue::Words(vec![last.to_owned()]),
                last.to_owned(),
                format!("[\"{last}\"]"),
            )
        }
    }
}

fn every_option() -> impl Iterator<Item = (&'static Generator, &'static OptionDescription)> {
    GENERATORS
        .iter()
        .flat_map(|generator| generator.options().map(move |option| (generator, option)))
}

fn by_arguments(generator: &Generator, option: &OptionDescription, text: &str) -> Options {
    let word = format!("{}:{}={text}", generator.name, option.name);
    let arguments = parse_arguments("kgen", &[word], &[]).unwrap();
    arguments.jobs[0].options.clone()
}

fn by_project_file(generator: &Generator, option: &OptionDescription, text: &str) -> Options {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("kgen.toml");
    let toml = format!("[{}]\n{} = {text}\n", generator.name, option.kebab_name());
    fs::write(&file, toml).unwrap();
    let configuration = read_project_file(&file, folder.path()).unwrap();
    configuration.sets[0].jobs[0].options.clone()
}

fn by_build_script(generator: &Generator, option: &OptionDescription, text: &str) -> Options {
    let script = configure().code_folder(Path::new("out"));
    let script = match generator.name {
        "crd" => script.crd("out"),
        "rbac" => script.rbac("out"),
        "webhook" => script.webhook("out"),
        "object" => script.objects(),
        "client" => script.clients(),
        "lister" => script.listers(),
        "informer" => script.informers(),
        "applyconfiguration" => script.apply_configurations(),
        "conversion" => script.conversions(),
        "docs" => script.docs("out"),
        "bundle" => script.bundle("out"),
        "helm" => script.helm("out"),
        other => panic!("a build script cannot ask for `{other}`"),
    };
    let script = script.option(generator.name, option.name, text);
    script.jobs()[0].options.clone()
}

#[test]
fn every_way_to_set_an_option_gives_the_same_field() {
    for (generator, option) in every_option() {
        let (value, argument, toml) = sample(option);
        let mut expected = Options::default();
        option.write(&mut expected, value);
        let name = format!("{} of {}", option.name, generator.name);
        assert_eq!(by_arguments(generator, option, &argument), expected, "{name}");
        assert_eq!(by_project_file(generator, option, &toml), expected, "{name}");
        assert_eq!(by_build_script(generator, option, &argument), expected, "{name}");
    }
}

#[test]
fn every_option_has_a_field_of_its_own() {
    // An option whose only value is its default cannot change anything.
    let is_fixed = |option: &OptionDescription| option.default() == Some(sample(option).0);
    for generator in GENERATORS {
        let mut seen = Vec::new();
        for option in generator.options().filter(|option| !is_fixed(option)) {
            let mut options = Options::default();
            option.write(&mut options, sample(option).0);
            assert_ne!(options, Options::default(), "{}", option.name);
            assert!(!seen.contains(&options), "{}", option.name);
            assert_eq!(
                option.is_ignored(&options),
                option.no_effect.is_some(),
                "{}",
                option.name
            );
            seen.push(options);
        }
    }
}

#[test]
fn a_value_of_another_type_changes_nothing() {
    let values = [
        OptionValue::Boolean(true),
        OptionValue::Boolean(false),
        OptionValue::Integer(7),
        OptionValue::Text("other".to_owned()),
        OptionValue::Words(vec!["other".to_owned()]),
    ];
    for (_, option) in every_option() {
        let right = std::mem::discriminant(&sample(option).0);
        for value in values
            .iter()
            .filter(|value| std::mem::discriminant(*value) != right)
        {
            let mut options = Options::default();
            option.write(&mut options, value.clone());
            assert_eq!(options, Options::default(), "{}", option.name);
        }
    }
}

#[test]
fn no_name_is_used_twice() {
    for generator in GENERATORS {
        let mut names = BTreeSet::new();
        for option in generator.options() {
            assert!(names.insert(option.kebab_name()), "{}", option.name);
        }
    }
}

#[test]
fn the_front_end_gets_every_option_that_it_reads() {
    let defaults = format!("{:?}", CrdOptions::default().for_front_end(false));
    assert_eq!(defaults, format!("{:?}", kgen_frontend::Options::default()));
    let reaching = CRD.iter().filter(|option| {
        let mut options = Options::default();
        option.write(&mut options, sample(option).0);
        format!("{:?}", options.crd.for_front_end(false)) != defaults
    });
    // All fields but `rust_types` and `facts`, which follow from the generators.
    let fields = defaults.matches(": ").count() - 2;
    assert_eq!(reaching.count(), fields, "{defaults}");
}
