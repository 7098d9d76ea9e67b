//! Tests of each check on its own.

use super::check;
use crate::tests::markers;

/// The arguments of a valid webhook.
const GOOD: &[(&str, &str)] = &[
    ("mutating", "false"),
    ("name", "foos.example.com"),
    ("path", "/validate"),
    ("failurePolicy", "fail"),
    ("sideEffects", "None"),
    ("groups", "example.com"),
    ("resources", "foos"),
    ("verbs", "create"),
    ("versions", "v1"),
    ("admissionReviewVersions", "v1"),
];

/// Returns the marker of the good webhook with other arguments; the value `-` removes an argument.
fn marker(changes: &[(&str, &str)]) -> String {
    let mut arguments = GOOD.to_vec();
    for (name, value) in changes {
        arguments.retain(|(known, _)| known != name);
        if *value != "-" {
            arguments.push((name, value));
        }
    }
    let arguments: Vec<String> = arguments
        .iter()
        .map(|(name, value)| format!("{name}={value}"))
        .collect();
    format!("+kubebuilder:webhook:{}\n", arguments.join(","))
}

/// Returns severity, underlined text and message of each problem. The underlined text is empty for a whole marker.
fn said(text: &str) -> Vec<String> {
    let (api, files) = markers::read(text);
    let problems = check(&api);
    let shown = |problem: &kgen_diagnostics::Problem| {
        let underlined = problem.span.map(|span| files.slice(span)).unwrap_or_default();
        let underlined = if underlined.starts_with("kubebuilder:") {
            ""
        } else {
            underlined
        };
        format!("{} {underlined}: {}", problem.severity.word(), problem.message)
    };
    problems.sorted(&files).into_iter().map(shown).collect()
}

#[track_caller]
fn expect(changes: &[(&str, &str)], expected: &[&str]) {
    assert_eq!(said(&marker(changes)), expected, "{changes:?}");
}

#[test]
fn what_everybody_writes_is_fine() {
    expect(&[], &[]);
    expect(
        &[
            ("mutating", "true"),
            ("reinvocationPolicy", "ifneeded"),
            ("timeoutSeconds", "30"),
        ],
        &[],
    );
    expect(
        &[
            ("path", "-"),
            ("url", "\"https://h.example.org/x\""),
            ("matchPolicy", "EXACT"),
        ],
        &[],
    );
    expect(
        &[
            ("path", "\"\""),
            ("url", "\"https://h\""),
            ("sideEffects", "noneondryrun"),
        ],
        &[],
    );
    expect(
        &[
            ("groups", "core;\"\""),
            ("resources", "pods;pods/status"),
            ("verbs", "*"),
            ("servicePort", "8443"),
        ],
        &[],
    );
    expect(
        &[
            ("matchPolicy", "\"\""),
            ("webhookVersions", "v1"),
            ("serviceName", "\"\""),
        ],
        &[],
    );
}

#[test]
fn a_webhook_is_in_one_place() {
    expect(
        &[("path", "-")],
        &["error : the webhook has neither `path` nor `url`"],
    );
    expect(
        &[("url", "\"https://h\"")],
        &["error \"https://h\": the webhook has both `path` and `url`"],
    );
}

#[test]
fn names_are_domains_of_three_parts() {
    expect(&[("name", "\"\"")], &["error \"\": the webhook has no name"]);
    expect(
        &[("name", "foos.com")],
        &["error foos.com: the name `foos.com` has fewer than three parts between dots"],
    );
    expect(
        &[("name", "Foos.a.b")],
        &["error Foos.a.b: `Foos.a.b` cannot be the name of a webhook"],
    );
}

#[test]
fn words_must_be_known() {
    expect(
        &[("failurePolicy", "failed")],
        &["error failed: `failed` is not a valid `failurePolicy`"],
    );
    expect(
        &[("matchPolicy", "exactly")],
        &["error exactly: `exactly` is not a valid `matchPolicy`"],
    );
    expect(
        &[("sideEffects", "non")],
        &["error non: `non` is not a valid `sideEffects`"],
    );
    expect(
        &[("sideEffects", "some")],
        &["error some: the API server does not accept a webhook with `sideEffects` `Some`"],
    );
    expect(
        &[("sideEffects", "-")],
        &["error : the webhook does not declare its side effects"],
    );
    expect(
        &[("mutating", "true"), ("reinvocationPolicy", "often")],
        &["error often: `often` is not a valid `reinvocationPolicy`"],
    );
    expect(
        &[("verbs", "create;patch")],
        &["error patch: `patch` is not a valid operation"],
    );
    expect(
        &[("webhookVersions", "v1beta1;v1")],
        &["error v1beta1: the API server does not accept webhook configurations of version `v1beta1`"],
    );
}

#[test]
fn arguments_without_effect_are_warnings() {
    expect(
        &[("reinvocationPolicy", "Never")],
        &["warning Never: `reinvocationPolicy` has no effect on a validating webhook"],
    );
    expect(
        &[
            ("path", "-"),
            ("url", "\"https://h\""),
            ("serviceName", "s"),
            ("servicePort", "1"),
        ],
        &[
            "warning s: `serviceName` has no effect together with `url`",
            "warning 1: `servicePort` has no effect together with `url`",
        ],
    );
}

#[test]
fn numbers_have_limits() {
    for seconds in ["0", "31", "-1"] {
        expect(
            &[("timeoutSeconds", seconds)],
            &[&format!(
                "error {seconds}: {seconds} is not a valid timeout of a webhook"
            )],
        );
    }
    for port in ["0", "65536", "-1"] {
        expect(
            &[("servicePort", port)],
            &[&format!("error {port}: {port} is not a valid service port")],
        );
    }
}

#[test]
fn reviews_have_versions() {
    let versions = |text| [("admissionReviewVersions", text)];
    expect(
        &versions("{}"),
        &["error {}: the webhook does not list a version of `AdmissionReview`"],
    );
    expect(
        &versions("v2"),
        &["error v2: the API server does not send `AdmissionReview` version `v2`"],
    );
    expect(
        &versions("v1;v1"),
        &["error v1;v1: the `AdmissionReview` version `v1` is given twice"],
    );
    expect(
        &versions("v1;1v"),
        &["error v1;1v: `1v` is not a valid `AdmissionReview` version"],
    );
    expect(
        &versions("v1;v1beta2"),
        &["warning v1;v1beta2: the API server does not send `AdmissionReview` version `v1beta2`"],
    );
}

#[test]
fn paths_and_addresses_are_those_of_an_api_server() {
    expect(
        &[("path", "validate")],
        &["error validate: the path `validate` does not begin with `/`"],
    );
    expect(
        &[("path", "/a//b")],
        &["error /a//b: the path `/a//b` has two slashes in a row"],
    );
    expect(
        &[("path", "/a_b/C")],
        &[
            "error /a_b/C: the path segment `C` is not valid",
            "error /a_b/C: the path segment `a_b` is not valid",
        ],
    );
    expect(&[("path", "/a/b.c/")], &[]);
    expect(
        &[("path", "-"), ("url", "\"http://u@h/\"")],
        &[
            "error \"http://u@h/\": the URL `http://u@h/` is not valid: it contains a user name",
            "error \"http://u@h/\": the URL `http://u@h/` is not valid: it does not begin with `https://`",
        ],
    );
}

#[test]
fn rules_are_not_empty_and_stars_stand_alone() {
    expect(&[("groups", "{}")], &["error {}: the webhook has no group"]);
    expect(&[("versions", "\"\"")], &["error \"\": a version is empty"]);
    expect(&[("resources", "\"\"")], &["error \"\": a resource is empty"]);
    expect(&[("verbs", "{}")], &["error {}: the webhook has no operation"]);
    expect(
        &[("groups", "*;apps")],
        &["error *;apps: `*` is listed together with other groups"],
    );
    expect(
        &[("versions", "v1;*")],
        &["error v1;*: `*` is listed together with other versions"],
    );
    expect(
        &[("verbs", "create;*")],
        &["error *: `*` is listed together with other operations"],
    );
    expect(
        &[("resources", "*/*;pods")],
        &["error */*;pods: `*/*` is listed together with other resources"],
    );
    expect(
        &[("resources", "*;pods")],
        &["error *;pods: `*` is listed together with the resource `pods`"],
    );
    expect(&[("resources", "pods;*;*/status")], &[]);
    expect(
        &[("resources", "pods/*;pods/status")],
        &["error pods/*;pods/status: `pods/status` is part of `pods/*`"],
    );
    expect(
        &[("resources", "*/status;pods/status")],
        &["error */status;pods/status: `pods/status` is part of `*/status`"],
    );
}

#[test]
fn selectors_are_read_where_they_stand() {
    expect(
        &[("namespaceSelector", "\"env in (prod\"")],
        &["error : a `)` is missing here"],
    );
    expect(
        &[("objectSelector", "`a=b,c d`")],
        &["error d: expected `,` or an operator, found `d`"],
    );
}

#[test]
fn conditions_have_names_and_texts() {
    expect(
        &[("matchConditions", "{a b: \"true\"}")],
        &["error {a b: \"true\"}: `a b` cannot be the name of a condition"],
    );
    expect(
        &[("matchConditions", "{a: \" \"}")],
        &["error {a: \" \"}: the condition `a` is empty"],
    );
    expect(
        &[("matchConditions", "{a: \"object.spec.size >\"}")],
        &["error : the condition `a` cannot be parsed: an expression is missing before the end"],
    );
    // The faulty part is underlined, even after an escape.
    expect(
        &[("matchConditions", "{a: \"true\", b: \"'\\t' == request.nam\"}")],
        &["error nam: the condition `b` is not valid: `request` has no field `nam`"],
    );
    expect(
        &[("matchConditions", "{a: `object.spec.isHot`}")],
        &[
            "error object.spec.isHot: the condition `a` is not valid: it returns `dyn`, but must return `bool`",
        ],
    );
    let patch = "`{\"matchConditions\":[{\"name\":\"a\",\"expression\":\"1 +\"}]}`";
    expect(
        &[("patch", patch)],
        &[&format!(
            "error {patch}: the condition `a` cannot be parsed: an expression is missing before the end at column 4"
        )],
    );
    let many: Vec<String> = (0..65).map(|number| format!("c{number}: \"true\"")).collect();
    let many = format!("{{{}}}", many.join(","));
    expect(
        &[("matchConditions", &many)],
        &[&format!(
            "error {many}: the webhook has 65 conditions, more than 64"
        )],
    );
}

#[test]
fn a_patch_is_judged_where_it_stands() {
    expect(
        &[("patch", "`{\"timeoutSeconds\":31}`")],
        &["error `{\"timeoutSeconds\":31}`: 31 is not a valid timeout of a webhook"],
    );
    expect(
        &[("patch", "`{\"timeOut\":31}`")],
        &["error `{\"timeOut\":31}`: there is no field `timeOut`"],
    );
    expect(
        &[("patch", "`{\"sideEffects\":\"none\"}`")],
        &["error `{\"sideEffects\":\"none\"}`: `none` is not a valid `sideEffects`"],
    );
    expect(
        &[("patch", "`{\"rules\":[{\"operations\":[\"create\"]}]}`")],
        &[
            "error `{\"rules\":[{\"operations\":[\"create\"]}]}`: `create` is not a valid operation",
            "error `{\"rules\":[{\"operations\":[\"create\"]}]}`: the webhook has no group",
            "error `{\"rules\":[{\"operations\":[\"create\"]}]}`: the webhook has no resource",
            "error `{\"rules\":[{\"operations\":[\"create\"]}]}`: the webhook has no version",
        ],
    );
    let client = "`{\"clientConfig\":{\"url\":\"https://h\"}}`";
    expect(
        &[("patch", client)],
        &[&format!(
            "error {client}: the webhook has both a service and a `url`"
        )],
    );
    let selector = "`{\"objectSelector\":{\"matchExpressions\":[{\"key\":\"a\",\"operator\":\"in\"}]}}`";
    expect(
        &[("patch", selector)],
        &[&format!(
            "error {selector}: `in` is not a valid operator of a selector"
        )],
    );
}

#[test]
fn a_patch_repairs_what_the_arguments_say() {
    expect(
        &[("sideEffects", "-"), ("patch", "`{\"sideEffects\":\"None\"}`")],
        &[],
    );
    expect(
        &[("timeoutSeconds", "99"), ("patch", "`{\"timeoutSeconds\":null}`")],
        &[],
    );
}

#[test]
fn a_broken_patch_hides_nothing_but_what_it_would_have_changed() {
    let patch = "`{\"sideEffects\":\"None\",\"x\":1}`";
    expect(
        &[("sideEffects", "-"), ("timeoutSeconds", "99"), ("patch", patch)],
        &[
            "error 99: 99 is not a valid timeout of a webhook",
            &format!("error {patch}: there is no field `x`"),
        ],
    );
}

#[test]
fn names_are_unique_within_a_configuration() {
    let twice = format!("{}{}", marker(&[]), marker(&[]));
    assert_eq!(
        said(&twice),
        ["error foos.example.com: two validating webhooks are called `foos.example.com`"]
    );
    let of_both_sorts = format!("{}{}", marker(&[]), marker(&[("mutating", "true")]));
    assert_eq!(said(&of_both_sorts), [""; 0]);
    let patched = "`{\"name\":\"foos.example.com\"}`";
    let patched_twice = format!(
        "{}{}",
        marker(&[]),
        marker(&[("name", "bars.example.com"), ("patch", patched)])
    );
    assert_eq!(
        said(&patched_twice),
        [format!(
            "error {patched}: two validating webhooks are called `foos.example.com`"
        )]
    );
}

#[test]
fn configurations_have_one_good_name() {
    let named = |line: &str| {
        said(&format!(
            "{}+kubebuilder:webhookconfiguration:{line}\n",
            marker(&[])
        ))
    };
    assert_eq!(named("mutating=false,name=hooks"), [""; 0]);
    assert_eq!(
        named("mutating=false,name=Hooks"),
        ["error : `Hooks` cannot be the name of a configuration"]
    );
    assert_eq!(
        named("mutating=true,name=hooks"),
        ["warning : there are no mutating webhooks for this configuration"]
    );
    let both = "mutating=false,name=hooks\n+kubebuilder:webhookconfiguration:mutating=false,name=";
    assert_eq!(named(&format!("{both}hooks")), [""; 0]);
    assert_eq!(
        named(&format!("{both}\"\"")),
        [
            "error : the validating webhooks are called `validating-webhook-configuration` here and `hooks` elsewhere"
        ]
    );
}

#[test]
fn all_problems_come_at_once() {
    let found = said(&marker(&[
        ("name", "x"),
        ("path", "p"),
        ("failurePolicy", "f"),
        ("sideEffects", "s"),
        ("verbs", "v"),
        ("timeoutSeconds", "0"),
        ("admissionReviewVersions", "v9"),
        ("namespaceSelector", "\"!\""),
        ("servicePort", "0"),
        ("webhookVersions", "v0"),
    ]));
    assert_eq!(found.len(), 10, "{found:#?}");
}
