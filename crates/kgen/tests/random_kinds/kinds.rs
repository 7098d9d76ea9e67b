//! Random kinds: every way to declare one, all scopes and subresources, and every option of clients.

use fastrand::Rng;

use super::names::words;
use super::types::{Attributes, Types};

/// How many kinds are in a module.
const KINDS_OF_A_MODULE: usize = 3;

/// Returns the files of a crate with `count` kinds: their paths and texts.
pub fn sources(seed: u64, count: usize) -> Vec<(String, String)> {
    let mut rng = Rng::with_seed(seed);
    let mut files = Vec::new();
    let mut modules = String::from("//! Random kinds.\n\n");
    for number in 0..count.div_ceil(KINDS_OF_A_MODULE) {
        let name = format!("m{number}_{}", words(&mut rng, 30).join("_"));
        let mut folder = String::new();
        let declared = match rng.u8(..3) {
            0 => {
                folder = format!("hidden{number}/");
                format!("/// Kinds.\npub mod hidden{number} {{\nmod {name};\npub use self::{name}::*;\n}}\n")
            }
            1 => format!("pub(crate) mod {name};\n"),
            _ => format!("/// Kinds.\npub mod {name};\n"),
        };
        modules.push_str(&declared);
        files.push((format!("src/api/{folder}{name}.rs"), module(&mut rng, number)));
    }
    let private = if rng.bool() { "" } else { "pub " };
    files.push(("src/api/mod.rs".to_owned(), modules));
    files.push((
        "src/lib.rs".to_owned(),
        format!("/// The API.\n{private}mod api;\n\n/// Generated.\npub mod generated;\n"),
    ));
    files.push(("Cargo.toml".to_owned(), MANIFEST.to_owned()));
    files
}

/// kgen reads the source of libraries at the versions of the lock file.
const MANIFEST: &str = r#"[package]
name = "random-kinds"
version = "0.1.0"
edition = "2024"

[dependencies]
k8s-openapi = { version = "*", features = ["latest"] }
kube = "*"
serde = "*"
serde_json = "*"
"#;

/// Returns a module with some kinds of one group and version.
fn module(rng: &mut Rng, number: usize) -> String {
    let mut types = Types::new();
    let domain = words(rng, 60).join("-");
    let group = format!("g{number}-{domain}.{}.example.org", words(rng, 50).join("."));
    let mut text = format!("//! +groupName={group}\n");
    let version = ["v1", "v1alpha1", "v2beta10"][rng.usize(..3)];
    text.push_str(&format!("//! +versionName={version}\n"));
    if rng.u8(..4) == 0 {
        text.push_str(&format!("//! +groupGoName=Group{number}\n"));
    }
    text.push_str("//! Random kinds.\n\n#[allow(unused_imports)]\nuse k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;\n");
    text.push_str(
        "#[allow(unused_imports)]\nuse kube::core::TypeMeta;\nuse serde::{Deserialize, Serialize};\n\n",
    );
    types.declare(rng);
    for place in 0..KINDS_OF_A_MODULE {
        let kind = random(
            rng,
            &mut types,
            number * KINDS_OF_A_MODULE + place,
            (&group, version),
        );
        text.push_str(&kind);
    }
    text.push_str(&types.text);
    text
}

/// Returns the declaration of a kind with its spec and status.
fn random(rng: &mut Rng, types: &mut Types, number: usize, (group, version): (&str, &str)) -> String {
    let longest = [3, 20, 59][rng.usize(..3)];
    let name = types.names.a_type(rng, longest);
    let (spec, status) = (types.names.a_type(rng, 55), types.names.a_type(rng, 55));
    let cluster = rng.u8(..3) == 0;
    let has_status = rng.u8(..4) != 0;
    let has_scale = has_status && rng.u8(..4) == 0;
    let mut text = String::new();
    let derive = "#[derive(Clone, Debug, Serialize, Deserialize)]\n#[serde(rename_all = \"camelCase\")]\n";
    let part = |types: &mut Types, rng: &mut Rng, name: &str| {
        let fields = types.fields(rng, 6, Attributes::Serde);
        types.text.push_str(&format!(
                "/// A part of a kind.\n{derive}pub struct {name} {{\n/// How many.\npub replicas: i32,\n{fields}}}\n\n"
            ));
    };
    if has_status {
        part(types, rng, &status);
    }
    let mut markers = client(rng, types, cluster);
    if has_status && rng.u8(..3) != 0 || has_scale {
        markers.push_str("// +kubebuilder:subresource:status\n");
    }
    if has_scale {
        markers.push_str(
            "// +kubebuilder:subresource:scale:specpath=.spec.replicas,statuspath=.status.replicas\n",
        );
    }
    let scope = if cluster { "Cluster" } else { "Namespaced" };
    let plural = format!("p{number}{}", words(rng, 20).concat());
    let shorts: Vec<_> = (0..rng.usize(..9))
        .map(|short| format!("s{number}x{short}{}", words(rng, 30).concat()))
        .collect();
    let shorts = if shorts.is_empty() {
        String::new()
    } else {
        format!(",shortName={}", shorts.join(";"))
    };
    if rng.u8(..6) == 0 && !has_scale {
        // The way of kube-derive: the struct is the spec.
        let (namespaced, stated) = (
            if cluster { "" } else { ", namespaced" },
            if has_status {
                format!(", status = \"{status}\"")
            } else {
                String::new()
            },
        );
        let fields = types.fields(rng, 6, Attributes::Serde);
        markers = markers.replace("// +kubebuilder:subresource:status\n", "");
        return format!(
            "/// Derived.\n{markers}#[derive(kube::CustomResource, Clone, Debug, Serialize, Deserialize)]\n\
                 #[kube(group = \"{group}\", version = \"{version}\", kind = \"{name}\", plural = \"{plural}\", schema = \"disabled\"{namespaced}{stated})]\n\
                 #[serde(rename_all = \"camelCase\")]\npub struct {spec} {{\n{fields}}}\n\n"
        );
    }
    let derives = rng.u8(..5) == 0;
    markers.push_str(&format!(
        "// +kubebuilder:resource:path={plural},scope={scope}{shorts}\n"
    ));
    text.push_str(&format!("/// A kind.\n{markers}"));
    if derives {
        text.push_str("// +kubebuilder:object:root=true\n");
        text.push_str(derive);
    } else {
        text.push_str("#[derive(Clone, Debug)]\n");
    }
    text.push_str(&format!("pub struct {name} {{\n"));
    if derives {
        text.push_str("/// What it is.\n#[serde(flatten)]\npub types: TypeMeta,\n");
    }
    text.push_str("/// Its name.\npub metadata: ObjectMeta,\n");
    match rng.u8(..8) {
        0 if !has_scale => {}
        1 if !has_scale => text.push_str(&format!(
            "/// What is wanted.\npub spec: {},\n",
            types.a_type(rng, 2)
        )),
        2 => {
            part(types, rng, &spec);
            text.push_str(&format!("/// What is wanted.\npub spec: Option<{spec}>,\n"));
        }
        _ => {
            part(types, rng, &spec);
            text.push_str(&format!("/// What is wanted.\npub spec: {spec},\n"));
        }
    }
    if has_status {
        text.push_str(&format!("/// What is there.\npub status: Option<{status}>,\n"));
    }
    let attributes = if derives {
        Attributes::Serde
    } else {
        Attributes::None
    };
    // One or two fields make a sum that may or may not fit on its line.
    let most = [0, 0, 2, 10][rng.usize(..4)];
    text.push_str(&types.fields(rng, most, attributes));
    text.push_str("}\n\n");
    text
}

/// The verbs that write. Those that read come together: listers and informers need them all.
const WRITING: [&str; 6] = ["create", "update", "delete", "deleteCollection", "patch", "apply"];

/// Returns the markers of a client.
fn client(rng: &mut Rng, types: &Types, cluster: bool) -> String {
    if rng.u8(..5) == 0 {
        return String::new();
    }
    let mut text = String::from("// +genclient\n");
    if cluster {
        text.push_str("// +genclient:nonNamespaced\n");
    }
    let mut some: Vec<_> = WRITING.iter().filter(|_| rng.bool()).copied().collect();
    if rng.bool() || some.is_empty() {
        some.extend(["get", "list", "watch"]);
    }
    let mut has_methods = rng.u8(..4) == 0;
    match rng.u8(..8) {
        0 => text.push_str("// +genclient:readonly\n"),
        1 => {
            text.push_str("// +genclient:noVerbs\n");
            has_methods = true;
        }
        2 => text.push_str(&format!("// +genclient:onlyVerbs={}\n", some.join(","))),
        3 => text.push_str(&format!("// +genclient:skipVerbs={}\n", some.join(","))),
        _ => {}
    }
    if has_methods {
        for (number, verb) in ["get", "list", "create", "update", "patch", "apply"]
            .iter()
            .enumerate()
        {
            let name = words(rng, 40)
                .iter()
                .map(|word| word.replacen(|_: char| true, &word[..1].to_uppercase(), 1))
                .collect::<String>();
            text.push_str(&format!(
                "// +genclient:method=Do{number}{name},verb={verb},subresource=sub{number}"
            ));
            let mut named = || {
                types
                    .a_type(rng, 1)
                    .replace("std::borrow::Cow<'static, str>", "String")
            };
            if ["create", "update", "apply"].contains(verb) {
                text.push_str(&format!(",input=\"{}\"", named()));
            }
            text.push_str(&format!(",result=\"{}\"\n", named()));
        }
    }
    text
}
