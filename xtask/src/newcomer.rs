//! `cargo xtask newcomer`: follows the steps of a new user, from a clone to a commit.
//!
//! The steps are a shell script, because a newcomer types them. This file only finds the script and its folders.

use anyhow::Result;

use crate::workspace::{Workspace, finish};

/// Runs the script.
pub fn run(workspace: &Workspace) -> Result<()> {
    let mut command = workspace.command("bash");
    command
        .arg(workspace.path("xtask/newcomer.sh"))
        .arg(workspace.root());
    command.arg(workspace.target_folder()?.join("newcomer"));
    // Set by the cargo that runs this program, for its own package.
    for (name, _) in std::env::vars_os() {
        let text = name.to_string_lossy();
        if [
            "CARGO_PKG_",
            "CARGO_MANIFEST_",
            "CARGO_BIN_NAME",
            "CARGO_CRATE_NAME",
            "CARGO_PRIMARY_PACKAGE",
            "K8S_OPENAPI_",
        ]
        .iter()
        .any(|prefix| text.starts_with(prefix))
        {
            command.env_remove(&name);
        }
    }
    finish(command)
}
