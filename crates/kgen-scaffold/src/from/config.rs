//! The manifests that are reused: `config` with the flags of the Rust program.

use kgen_build::Findings;
use kgen_diagnostics::{Code, Problem};

/// The flags of a program in Go whose names differ, and those of the Rust program.
const FLAGS: &[(&str, &str)] = &[
    ("--health-probe-bind-address", "--probe-addr"),
    ("--metrics-bind-address", "--metrics-addr"),
    ("--metrics-cert-path", "--metrics-certs"),
    ("--webhook-cert-path", "--webhook-certs"),
];

/// The flags that both programs have.
const SAME_FLAGS: &[&str] = &["--kubeconfig", "--leader-elect"];

/// The program in the image of a project in Go.
const GO_PROGRAM: &str = "/manager";

/// Returns the text of a manifest for the Rust program, which is called `name`. Reports flags that it does not have.
pub(super) fn adapted(path: &str, text: &str, name: &str, findings: &mut Findings) -> String {
    let runs_program = path.starts_with("config/manager/") || path.starts_with("config/default/");
    if !runs_program {
        return text.to_owned();
    }
    text.split_inclusive('\n')
        .map(|line| adapted_line(path, line, name, findings))
        .collect()
}

fn adapted_line(path: &str, line: &str, name: &str, findings: &mut Findings) -> String {
    let content = line.trim();
    let Some((place, quoted)) = ["- ", "value: "]
        .into_iter()
        .find_map(|place| Some((place, content.strip_prefix(place)?)))
    else {
        return line.to_owned();
    };
    let value = quoted.trim_matches(['"', '\'']);
    if value == GO_PROGRAM && place == "- " {
        return line.replace(GO_PROGRAM, &format!("/{name}"));
    }
    if !value.starts_with("--") {
        return line.to_owned();
    }
    let (flag, argument) = match value.split_once('=') {
        Some((flag, argument)) => (flag, Some(argument)),
        None => (value, None),
    };
    if SAME_FLAGS.contains(&flag) {
        return line.to_owned();
    }
    let renamed = FLAGS.iter().find(|(old, _)| *old == flag);
    match (renamed, argument) {
        (Some((_, new)), Some(argument)) if argument != "0" => {
            // Go's way to say all addresses.
            let address = match argument.starts_with(':') {
                true => format!("0.0.0.0{argument}"),
                false => argument.to_owned(),
            };
            line.replace(value, &format!("{new}={address}"))
        }
        _ => {
            let message = format!("`{path}` passes `{value}`, a flag that `src/main.rs` does not have");
            findings.problems.push(
                Problem::general_warning(Code::Usage, message)
                    .help("remove it, or add the flag to `Options` in `src/main.rs`"),
            );
            line.to_owned()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_are_those_of_the_rust_program() {
        let text = "\
      - command:
        - /manager
        args:
          - --leader-elect
          - \"--health-probe-bind-address=:8081\"
          # - --metrics-secure=false
          - --zap-devel
- op: add
  value: --metrics-bind-address=10.0.0.1:8443
- op: add
  value: --webhook-cert-path=/certs
";
        let mut findings = Findings::default();
        let adapted = adapted("config/manager/manager.yaml", text, "crew", &mut findings);
        let expected = text
            .replace("/manager\n", "/crew\n")
            .replace("health-probe-bind-address=:", "probe-addr=0.0.0.0:")
            .replace("metrics-bind-address", "metrics-addr")
            .replace("webhook-cert-path", "webhook-certs");
        assert_eq!(adapted, expected);
        let messages: Vec<&str> = findings
            .problems
            .iter()
            .map(|problem| problem.message.as_str())
            .collect();
        assert_eq!(
            messages,
            ["`config/manager/manager.yaml` passes `--zap-devel`, a flag that `src/main.rs` does not have"]
        );
    }
}
