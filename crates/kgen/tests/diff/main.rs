//! `kgen diff` on pairs of folders and on revisions of git, and `kgen lint` on folders.

#[cfg(test)]
mod git;
#[cfg(test)]
mod lints;
#[cfg(test)]
mod pairs;

#[cfg(test)]
mod tests {
    use std::fs;

    use serde_json::Value;

    use crate::pairs::{compare, folders, name};

    /// Returns whether a finding is the expected one.
    fn fits(finding: &Value, expected: &Value) -> bool {
        let same = |key: &str| expected.get(key).is_none() || finding.get(key) == expected.get(key);
        let is_in_lines = expected["lines"].as_array().is_none_or(|lines| {
            let line = finding["line"].as_u64();
            line >= lines[0].as_u64() && line <= lines[1].as_u64()
        });
        ["code", "level", "path", "file"].into_iter().all(same) && is_in_lines
    }

    /// Returns what the findings say and a server did not.
    fn contradictions(findings: &[Value], expected: &Value) -> Vec<String> {
        let mut wrong = Vec::new();
        let tried = &expected["tried"];
        for finding in findings {
            if let (Some(says), Some(answer)) = (finding["says"].as_str(), tried["create"].as_str())
                && !answer.contains(says)
            {
                wrong.push(format!("`{says}` is not in `{answer}`"));
            }
            let nodes = tried["ratchets_at"].as_array();
            if nodes.is_some_and(|nodes| !nodes.contains(&finding["ratchets_at"])) {
                wrong.push(format!("ratchets at {}, not {nodes:?}", finding["ratchets_at"]));
            }
            if tried.get("reads_back").is_some() && finding.get("ratchets_at").is_some() {
                wrong.push("lost data does not ratchet".to_owned());
            }
            let pointer = finding["path"].as_str().unwrap().replace('.', "/");
            for state in ["old", "new"] {
                let wanted = expected["reads"][state].pointer(&pointer);
                let read = finding["reads"][state].pointer(&pointer);
                if wanted.is_some() && wanted != read {
                    wrong.push(format!("reads {read:?} in {state}, not {wanted:?}"));
                }
            }
        }
        // What one object proves, some finding proves with an object of its own.
        let is_proved = findings.iter().any(|finding| finding.get("witness").is_some());
        if expected.get("witness").is_some() && !is_proved {
            wrong.push(format!(
                "no witness, but a server refuses {}",
                expected["witness"]
            ));
        }
        wrong
    }

    /// The objects that a server accepted and refused are judged in the same way here.
    #[test]
    fn objects_are_judged_as_on_a_server() {
        let mut judged = 0;
        for folder in folders() {
            let expected: Value =
                serde_json::from_str(&fs::read_to_string(folder.join("expect.json")).unwrap()).unwrap();
            let witnesses = expected
                .get("witness")
                .into_iter()
                .map(|object| (object, true, false));
            let accepted = expected["accepted"].as_array().into_iter().flatten();
            let accepted = accepted.map(|object| (object, true, true));
            let only_new = expected
                .get("only_new")
                .into_iter()
                .map(|object| (object, false, true));
            for (object, old, new) in witnesses.chain(accepted).chain(only_new) {
                for (side, wanted) in [("old", old), ("new", new)] {
                    assert_eq!(
                        is_accepted(&folder.join(side), object),
                        wanted,
                        "{}: {object} in {side}",
                        name(&folder)
                    );
                    judged += 1;
                }
            }
        }
        assert!(judged > 15, "only {judged}");
    }

    /// Returns whether the first kind of a folder accepts an object.
    fn is_accepted(folder: &std::path::Path, object: &Value) -> bool {
        let output = std::process::Command::new(env!("CARGO_BIN_EXE_kgen"))
            .args(["crd", "paths=.", "output:stdout"])
            .current_dir(folder)
            .output()
            .unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        let file = kgen_diagnostics::Files::default().next_id();
        let documents = kgen_manifests::yaml::read(&text, file).unwrap();
        let definition = kgen_schema::Definition::from_json(&documents[0].to_json()).unwrap();
        let version = definition.version("v1").unwrap();
        let mut object = object.clone();
        object["apiVersion"] = format!("{}/v1", definition.group()).into();
        object["kind"] = definition.kind().into();
        object["metadata"] = serde_json::json!({"name": "tried"});
        if definition.is_namespaced() {
            object["metadata"]["namespace"] = "default".into();
        }
        let unknown = version.prune(&mut object).unwrap();
        version.default(&mut object);
        unknown.is_empty() && version.validate(&object).is_valid()
    }

    #[test]
    fn every_pair_reports_what_it_expects() {
        let mut wrong = Vec::new();
        for folder in folders() {
            let expected: Value =
                serde_json::from_str(&fs::read_to_string(folder.join("expect.json")).unwrap()).unwrap();
            let arguments: Vec<&str> = expected["args"]
                .as_array()
                .unwrap()
                .iter()
                .filter_map(Value::as_str)
                .collect();
            let found = compare(&folder, &arguments);
            let mut left = found.findings.clone();
            let mut complain =
                |what: String| wrong.push(format!("{}: {what}\n{}", name(&folder), found.errors));
            for finding in expected["findings"].as_array().unwrap() {
                match left.iter().position(|found| fits(found, finding)) {
                    Some(index) => {
                        left.remove(index);
                    }
                    None => complain(format!("{finding} is missing")),
                }
            }
            let optional = expected["optional"].as_array().cloned().unwrap_or_default();
            left.retain(|found| !optional.iter().any(|optional| fits(found, optional)));
            if !left.is_empty() {
                complain(format!("{left:?} is not expected"));
            }
            if i64::from(found.exit) != expected["exit"]
                || found.verdict != expected["verdict"].as_str().unwrap()
            {
                complain(format!("ends with {} and {}", found.exit, found.verdict));
            }
            for problem in contradictions(&found.findings, &expected) {
                complain(problem);
            }
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }

    /// A breaking change of a value is never claimed without an object.
    #[test]
    fn every_breaking_change_of_values_has_a_witness() {
        let about_kinds = [
            "kind-removed",
            "kind-renamed",
            "scope-changed",
            "version-removed",
            "version-unserved",
            "subresource-removed",
            "status-split",
            "selectable-field-removed",
        ];
        for folder in folders() {
            for finding in compare(&folder, &["diff", "old", "new"]).findings {
                let is_kind = about_kinds.contains(&finding["code"].as_str().unwrap());
                let has_witness = finding.get("witness").is_some();
                assert!(
                    finding["level"] != "breaking" || is_kind || has_witness,
                    "{}: {finding}",
                    name(&folder)
                );
            }
        }
    }

    /// The same changes are found in the CRDs that kgen generates from both states.
    #[test]
    fn crds_and_source_have_the_same_changes() {
        let folder = tempfile::tempdir().unwrap();
        // Rust knows more than a CRD: the tags of enums, variants for other values, markers that allow.
        let only_source = [
            "variant-added-tagged",
            "variant-added-tagged-shared",
            "variant-removed-tagged",
            "enum-other-widened",
            "allowed-by-marker",
            "allowed-on-struct",
        ];
        for pair in folders() {
            if only_source.contains(&name(&pair).as_str()) {
                continue;
            }
            let place = folder.path().join(name(&pair));
            for side in ["old", "new"] {
                let output = std::process::Command::new(env!("CARGO_BIN_EXE_kgen"))
                    .args([
                        "crd",
                        &format!("paths={side}"),
                        &format!("output:dir={}", place.join(side).display()),
                    ])
                    .current_dir(&pair)
                    .output()
                    .unwrap();
                assert!(
                    output.status.success(),
                    "{}: {}",
                    name(&pair),
                    String::from_utf8_lossy(&output.stderr)
                );
            }
            let key = |finding: &Value| {
                let text = |key: &str| finding[key].as_str().unwrap_or_default().to_owned();
                (text("code"), text("level"), text("version"), text("path"))
            };
            let of = |found: &[Value]| found.iter().map(key).collect::<Vec<_>>();
            let source = compare(&pair, &["diff", "old", "new"]);
            let crds = compare(&place, &["diff", "old", "new"]);
            assert_eq!(
                of(&source.findings),
                of(&crds.findings),
                "{}: {}",
                name(&pair),
                crds.errors
            );
        }
    }
}
