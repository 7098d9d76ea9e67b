//! Installing CRDs, valid and invalid.

use std::path::Path;

use kgen_testenv::suite::Outcome;
use kgen_testenv::{ControlPlane, Error};

use crate::support::{kubectl, run};

const FOO: &str = include_str!("../crds/foo.yaml");

pub async fn from_text_and_folder() -> Outcome {
    let control_plane = ControlPlane::start().await?;
    assert_eq!(control_plane.install_crds(FOO).await?, ["foos.example.com"]);
    // The CRD is served at once; the test does not wait.
    assert_eq!(kubectl(&control_plane, &["get", "foos.example.com"]), "");

    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/crds");
    assert_eq!(
        control_plane.install_crds(folder).await?,
        ["bars.example.com", "foos.example.com"]
    );

    // A CRD that is applied again with a change is updated.
    control_plane
        .install_crds(FOO.replace("maximum: 10", "maximum: 3"))
        .await?;
    let mut apply = control_plane.kubectl();
    let manifest = control_plane.folder().join("foo.yaml");
    std::fs::write(
        &manifest,
        "apiVersion: example.com/v1alpha1\nkind: Foo\nmetadata: {name: a}\nspec: {deploymentName: a, replicas: 4}\n",
    )?;
    let error = run(apply.args(["apply", "--filename"]).arg(&manifest)).unwrap_err();
    assert!(error.contains("should be less than or equal to 3"), "{error}");
    control_plane.stop().await?;
    Ok(())
}

pub async fn a_bad_one_is_refused() -> Outcome {
    let control_plane = ControlPlane::start().await?;
    let refused = async |text: String| match control_plane.install_crds(text).await {
        Err(Error::Refused { message, .. }) => message,
        other => panic!("{other:?}"),
    };
    // Not structural: a schema without a type.
    let message = refused(FOO.replace(
        "                type: string\n",
        "                description: no type\n",
    ))
    .await;
    assert!(
        message.contains("must not be empty for specified object fields"),
        "{message}"
    );
    // A field that no API server knows.
    let message = refused(FOO.replace("scope: Namespaced", "scope: Namespaced\n  scoop: none")).await;
    assert!(message.contains("scoop"), "{message}");
    // A name that does not fit.
    let message = refused(FOO.replace("name: foos.example.com", "name: fos.example.com")).await;
    assert!(message.contains("must be spec.names.plural"), "{message}");
    control_plane.stop().await?;
    Ok(())
}

pub async fn taken_names_are_reported() -> Outcome {
    let control_plane = ControlPlane::start().await?;
    control_plane.install_crds(FOO).await?;
    let rival = FOO
        .replace("foos", "foozes")
        .replace("singular: foo", "singular: fooz");
    match control_plane.install_crds(rival).await {
        Err(Error::NotEstablished { name, reason }) => {
            assert_eq!(name, "foozes.example.com");
            assert!(reason.contains("NamesAccepted is False"), "{reason}");
        }
        other => panic!("{other:?}"),
    }
    control_plane.stop().await?;
    Ok(())
}
