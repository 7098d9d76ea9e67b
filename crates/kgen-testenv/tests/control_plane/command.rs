//! The command `kgen-control-plane`.

use std::io::{BufRead as _, BufReader};
use std::path::PathBuf;
use std::process::{Command, Stdio};

use kgen_testenv::suite::Outcome;

use crate::support::run;

pub async fn runs_until_interrupted() -> Outcome {
    let mut command = Command::new(env!("CARGO_BIN_EXE_kgen-control-plane"));
    let mut process = command.args(["--nodes", "0"]).stdout(Stdio::piped()).spawn()?;
    let mut lines = BufReader::new(process.stdout.take().expect("it is piped")).lines();
    let mut kubeconfig = None;
    for line in lines.by_ref() {
        let line = line?;
        if let Some(path) = line.strip_prefix("export KUBECONFIG=") {
            kubeconfig = Some(PathBuf::from(path.trim_matches('\'')));
        }
        if line.contains("Ctrl-C") {
            break;
        }
    }
    let kubeconfig = kubeconfig.expect("it prints the kubeconfig");
    assert!(kubeconfig.is_file());
    run(Command::new("kill").args(["-INT", &process.id().to_string()]))?;
    assert!(process.wait()?.success());
    assert!(!kubeconfig.exists());
    Ok(())
}

pub async fn build_only_prints_the_folder() -> Outcome {
    assert!(binaries()?.join("kube-apiserver").is_file());
    Ok(())
}

/// Returns the folder of binaries that the command prints.
pub fn binaries() -> Result<PathBuf, String> {
    let printed = run(Command::new(env!("CARGO_BIN_EXE_kgen-control-plane")).arg("--build-only"))?;
    let folder = printed
        .strip_prefix("export KUBEBUILDER_ASSETS='")
        .and_then(|rest| rest.strip_suffix('\''));
    folder.map(PathBuf::from).ok_or(printed)
}
