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
            let tried = &expected["tried"];
            if let (Some(says), Some(answer)) = (
                found
                    .findings
                    .first()
                    .and_then(|finding| finding["says"].as_str()),
                tried["create"].as_str(),
            ) && !answer.contains(says)
            {
                complain(format!("`{says}` is not in `{answer}`"));
            }
            if let (Some(node), Some(first)) = (tried["ratchets_at"].get(0), found.findings.first())
                && first["ratchets_at"] != *node
            {
                complain(format!("ratchets at {}, not {node}", first["ratchets_at"]));
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
