//! The first example of the book's testing guide: a CRD is installed, and the API server survives a crash.
//!
//! ```text
//! cargo run -p kgen-testenv --example testing_guide --features kube
//! ```

use std::path::Path;

// ANCHOR: first
use kgen_testenv::{Component, ControlPlane, Result};

#[tokio::main]
async fn main() -> Result<()> {
    let Some(control_plane) = ControlPlane::start_or_skip().await? else {
        return Ok(()); // there are no control-plane binaries on this machine; the reason is on stderr
    };
    let crds = Path::new("crates/kgen-testenv/tests/crds/foo.yaml");
    control_plane.install_crds(crds).await?;
    let _client = control_plane.client().await?; // a kube::Client

    control_plane.kill(Component::ApiServer)?;
    control_plane.restart(Component::ApiServer).await?;
    control_plane.stop().await
}
// ANCHOR_END: first
