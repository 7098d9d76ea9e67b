//! Makes the sequence of a difference as short as possible, and writes it as a case.

use std::path::Path;

use serde_json::{Value, json};

use crate::compare::{Difference, Servers};
use crate::sequence::CATCH_UP;

/// How often a sequence is tried again at most.
const MOST_TRIALS: usize = 60;

/// Returns the description of the shortest sequence that still differs at its end.
pub async fn shortest(servers: &Servers, difference: &Difference) -> String {
    let mut best = difference.clone();
    let mut trials = 0;
    let signature = best.signature();
    let mut steps: Vec<Value> = best.case["steps"].as_array().unwrap()[..=best.step].to_vec();
    let mut index = steps.len().saturating_sub(1);
    while index > 0 && trials < MOST_TRIALS {
        index -= 1;
        let mut fewer = steps.clone();
        let removed = fewer.remove(index);
        if is_needed(&removed, &fewer) {
            continue;
        }
        trials += 1;
        let mut case = best.case.clone();
        case["steps"] = json!(fewer);
        // Each trial has a namespace of its own.
        let own = case["namespace"].as_str().unwrap().to_owned();
        let text = case.to_string().replace(&own, "@NS@");
        let case: Value = serde_json::from_str(&text).unwrap();
        let name = format!("{}-{trials}", own.split('-').next().unwrap());
        if let Some(found) = servers.compare(&case, &name).await
            && found.step == fewer.len() - 1
            && found.signature() == signature
        {
            steps = found.case["steps"].as_array().unwrap().clone();
            best = found;
        }
    }
    let mut case = best.case.clone();
    for (index, step) in steps.iter_mut().enumerate() {
        step["answer"] = best.answers[index].clone();
    }
    case["steps"] = json!(steps);
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("side-by-side");
    std::fs::create_dir_all(&folder).unwrap();
    let file = folder.join(format!("{}.json", case["name"].as_str().unwrap()));
    std::fs::write(&file, serde_json::to_string_pretty(&case).unwrap()).unwrap();
    let requests: Vec<String> = steps
        .iter()
        .take(steps.len() - 1)
        .map(|step| {
            let request = step.get("request").or_else(|| step.get("open")).unwrap_or(step);
            let text: String = request.to_string().chars().take(700).collect();
            format!("    {text} -> {}", step["answer"]["code"])
        })
        .collect();
    format!(
        "{}\n{}\n  written to {}",
        requests.join("\n"),
        best.describe(),
        file.display()
    )
}

/// Returns whether a later step needs a step.
fn is_needed(step: &Value, others: &[Value]) -> bool {
    let text = serde_json::to_string(others).unwrap();
    let is_referred = step["as"]
        .as_str()
        .is_some_and(|name| text.contains(&format!("$({name}.")));
    let is_read = step["watch"]
        .as_str()
        .is_some_and(|watch| others.iter().any(|other| other["read"] == watch));
    is_referred || is_read || step["op"] == CATCH_UP
}
