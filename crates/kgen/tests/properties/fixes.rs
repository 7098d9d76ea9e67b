//! `kgen fix` on every case: it helps or changes nothing.

use kgen_golden::{Tree, read};
use libtest_mimic::Failed;

use crate::support::case::{Case, Order, in_copy};

/// `kgen fix` never panics, a dry run writes nothing, fixes never lead to errors that were not there, only source files
/// change, and fixing twice changes nothing the second time.
pub(crate) fn fixes_help(case: &Case) -> Result<(), Failed> {
    let folder = case.copy(Order::Forward);
    let folder = folder.path();
    let errors = || -> Vec<(String, String)> {
        let output = in_copy(folder)
            .args(&case.arguments)
            .args(["output:dir=out", "--dry-run", "--message-format=json"])
            .output()
            .unwrap();
        let lines: Vec<serde_json::Value> = String::from_utf8(output.stdout)
            .unwrap()
            .lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect();
        let word = |line: &serde_json::Value, key: &str| line[key].as_str().unwrap_or_default().to_owned();
        let errors = lines.iter().filter(|line| line["severity"] == "error");
        errors
            .map(|line| (word(line, "code"), word(line, "message")))
            .collect()
    };
    let fix = |flag: &str| {
        let output = in_copy(folder)
            .arg("fix")
            .args(&case.arguments)
            .args(["output:dir=out", flag, "--color=never"])
            .output()
            .unwrap();
        let code = output.status.code().ok_or("the command was killed")?;
        let said = String::from_utf8(output.stderr).unwrap();
        if (0..=2).contains(&code) && !said.contains("panicked") {
            Ok(code)
        } else {
            Err(format!("exit code {code}: {said}"))
        }
    };
    let (before, errors_before) = (read(folder).unwrap(), errors());
    fix("--dry-run")?;
    if read(folder).unwrap() != before {
        return Err("a dry run wrote something".into());
    }
    fix("--allow-dirty")?;
    let (after, errors_after) = (read(folder).unwrap(), errors());
    let names = |tree: &Tree| tree.keys().cloned().collect::<Vec<_>>();
    if names(&after) != names(&before) {
        return Err(format!("files came or went: {:?}", names(&after)).into());
    }
    let changed = after
        .iter()
        .filter(|(name, text)| before.get(*name) != Some(text));
    if let Some((name, _)) = changed
        .clone()
        .find(|(name, _)| !name.ends_with(".rs") || name.starts_with("cargo-home"))
    {
        return Err(format!("`{name}` was changed").into());
    }
    if changed.count() == 0 && errors_before != errors_after {
        return Err("other errors without a change".into());
    }
    if let Some((code, message)) = errors_after.iter().find(|error| !errors_before.contains(error)) {
        return Err(format!("the fixes led to error[{code}]: {message}").into());
    }
    fix("--allow-dirty")?;
    if read(folder).unwrap() == after {
        Ok(())
    } else {
        Err("fixing twice changed something the second time".into())
    }
}
