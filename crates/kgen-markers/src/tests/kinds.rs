//! Markers of kinds and their clients.

use kgen_diagnostics::{Code, Problems};
use kgen_model::{KindVersion, Scope, Verb};

use super::{kind_version, markers};
use crate::{Position, apply_to_kind};

fn apply(texts: &[&str]) -> (KindVersion, Vec<Code>) {
    apply_on(kind_version(), texts)
}

fn apply_on(mut kind: KindVersion, texts: &[&str]) -> (KindVersion, Vec<Code>) {
    let mut problems = Problems::new();
    apply_to_kind(&markers(texts, Position::Kind), &mut kind, &mut problems);
    problems.iter().for_each(super::check_wording);
    (kind, problems.iter().map(|problem| problem.code).collect())
}

#[test]
fn names_columns_and_versions() {
    let (kind, codes) = apply(&[
        "+kubebuilder:resource:path=foos,shortName=fo;f,categories={all, mine},singular=foo,scope=Cluster",
        "+kubebuilder:subresource:status",
        "+kubebuilder:subresource:scale:specpath=.spec.replicas,statuspath=.status.replicas,selectorpath=.status.selector",
        "+kubebuilder:printcolumn:JSONPath=.spec.weight,name=Weight,type=integer,format=\"int64\",priority=1,description=`in \"grams\", as it says: all`",
        "+kubebuilder:printcolumn:name=\"Ready\",type=string,JSONPath=`.status.conditions[?(@.type==\"Ready\")].status`",
        "+kubebuilder:selectablefield:JSONPath=.spec.color",
        "+kubebuilder:storageversion",
        "+kubebuilder:unservedversion",
        "+kubebuilder:deprecatedversion:warning=\"old, use v2\"",
        "+kubebuilder:metadata:annotations=\"a/b=c=d\";\"e=f\",labels=x=y",
    ]);
    assert_eq!(codes, []);
    assert_eq!(kind.plural.map(|plural| plural.value).as_deref(), Some("foos"));
    assert_eq!(kind.scope.map(|scope| scope.value), Some(Scope::Cluster));
    assert_eq!(
        kind.short_names
            .iter()
            .map(|name| name.value.as_str())
            .collect::<Vec<_>>(),
        ["fo", "f"]
    );
    assert_eq!(kind.categories.len(), 2);
    assert_eq!(
        kind.columns[0].value.description.as_deref(),
        Some("in \"grams\", as it says: all")
    );
    assert_eq!(kind.columns[0].value.priority, Some(1));
    assert_eq!(
        kind.columns[1].value.json_path.value,
        ".status.conditions[?(@.type==\"Ready\")].status"
    );
    assert_eq!(
        kind.scale
            .unwrap()
            .value
            .selector_path
            .map(|path| path.value)
            .as_deref(),
        Some(".status.selector")
    );
    assert_eq!(kind.deprecation.unwrap().warning.as_deref(), Some("old, use v2"));
    let annotations: Vec<_> = kind
        .annotations
        .iter()
        .map(|(key, value, _)| (key.as_str(), value.as_str()))
        .collect();
    assert_eq!(annotations, [("a/b", "c=d"), ("e", "f")]);
    assert_eq!(kind.labels[0].1, "y");
    assert!(kind.storage.is_some() && kind.unserved.is_some() && kind.status_subresource.is_some());
}

#[test]
fn what_attributes_said_must_not_be_contradicted() {
    let (cluster, _) = apply(&["+kubebuilder:resource:scope=Cluster,path=foos"]);
    let (_, codes) = apply_on(cluster.clone(), &["+kubebuilder:resource:scope=Namespaced"]);
    assert_eq!(codes, [Code::ContradictingMarkers]);
    let (_, codes) = apply_on(cluster.clone(), &["+kubebuilder:resource:path=fooses"]);
    assert_eq!(codes, [Code::ContradictingMarkers]);
    let (kind, codes) = apply_on(cluster, &["+kubebuilder:resource:path=foos,shortName=f"]);
    assert_eq!((codes, kind.short_names.len()), (vec![], 1));
    let (deprecated, _) = apply(&["+kubebuilder:deprecatedversion"]);
    assert_eq!(
        apply_on(deprecated, &["+kubebuilder:deprecatedversion:warning=x"]).1,
        [Code::ContradictingMarkers]
    );
    assert_eq!(
        apply(&[
            "+kubebuilder:metadata:labels=\"a=b\"",
            "+kubebuilder:metadata:labels=\"a=c\""
        ])
        .1,
        [Code::ContradictingMarkers]
    );
    assert_eq!(apply(&["+kubebuilder:metadata:labels=a"]).1, [Code::MarkerValue]);
}

#[test]
fn clients() {
    let (kind, codes) = apply(&[
        "+genclient",
        "+genclient:onlyVerbs=get, list,watch",
        "+genclient:method=GetScale,verb=get,subresource=scale,result=k8s_openapi::api::autoscaling::v1::Scale",
        "+genclient:method=UpdateScale,verb=update,subresource=scale,input=Scale,result=Scale",
        "+resourceName=fooz",
    ]);
    assert_eq!(codes, []);
    let client = kind.client;
    assert_eq!(
        client.only_verbs.map(|verbs| verbs.value),
        Some(vec![Verb::Get, Verb::List, Verb::Watch])
    );
    assert_eq!(client.methods.len(), 2);
    assert_eq!(
        client.methods[0]
            .result
            .as_ref()
            .map(|result| result.name.as_str()),
        Some("k8s_openapi::api::autoscaling::v1::Scale")
    );
    assert_eq!(
        client.resource_name.map(|name| name.value).as_deref(),
        Some("fooz")
    );
}

#[test]
fn client_settings_that_make_no_sense() {
    let codes = |texts: &[&str]| apply(&[&["+genclient"], texts].concat()).1;
    assert_eq!(apply(&["+genclient:noStatus"]).1, [Code::MisplacedMarker]);
    assert_eq!(codes(&["+genclient:method=A,verb=explode"]), [Code::MarkerValue]);
    for verb in [
        "updateStatus",
        "deleteCollection",
        "watch",
        "delete",
        "applyStatus",
    ] {
        assert_eq!(
            codes(&[&format!("+genclient:method=A,verb={verb}")]),
            [Code::MarkerValue],
            "{verb}"
        );
    }
    assert_eq!(
        codes(&["+genclient:method=A,verb=get,input=B"]),
        [Code::MarkerArgument]
    );
    assert_eq!(codes(&["+genclient:method=A-b,verb=get"]), [Code::MarkerValue]);
    assert_eq!(
        codes(&["+genclient:method=AB,verb=get", "+genclient:method=a_b,verb=get"]),
        [Code::RepeatedMarker]
    );
    assert_eq!(
        codes(&["+genclient:noStatus", "+genclient:onlyVerbs=updateStatus"]),
        [Code::ContradictingMarkers]
    );
    assert_eq!(
        codes(&[
            "+genclient:nonNamespaced",
            "+kubebuilder:resource:scope=Namespaced"
        ]),
        [Code::ContradictingMarkers]
    );
    assert_eq!(
        codes(&["+genclient:nonNamespaced", "+kubebuilder:resource:scope=Cluster"]),
        []
    );
}
