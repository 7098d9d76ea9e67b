//! What a kind of the benchmark is made of: a workload as operators have it, ten types with eighty fields.
//!
//! One table a type. In its texts, `{kind}` stands for the name of the kind and `{n}` for a number from 10 to 99 that
//! differs from kind to kind, so that no two kinds are alike.

use super::{Body, Field, Kind, Type, Value, names};

/// A field before it belongs to a kind.
struct Row {
    words: &'static str,
    value: Plain,
    optional: bool,
    docs: &'static str,
    markers: &'static [&'static str],
}

/// The type of a field, with other types of the kind by what follows the name of the kind.
#[derive(Clone, Copy)]
enum Plain {
    Text,
    Texts,
    TextMap,
    Int32,
    Int64,
    Bool,
    Quantity,
    IntOrString,
    Time,
    One(&'static str),
    Many(&'static str),
}

use Plain::{Bool, Int32, Int64, IntOrString, Many, One, Quantity, Text, TextMap, Texts, Time};

const fn required(
    words: &'static str,
    value: Plain,
    docs: &'static str,
    markers: &'static [&'static str],
) -> Row {
    Row {
        words,
        value,
        optional: false,
        docs,
        markers,
    }
}

const fn optional(
    words: &'static str,
    value: Plain,
    docs: &'static str,
    markers: &'static [&'static str],
) -> Row {
    Row {
        words,
        value,
        optional: true,
        docs,
        markers,
    }
}

/// The kind with this index.
pub fn kind(index: usize) -> Kind {
    let name = names::kind(index);
    let short_name = format!("kubebuilder:resource:shortName=k{index},categories=all;bench");
    let mut types = vec![Type {
        name: name.clone(),
        docs: vec![fill(
            "{kind} is a workload of the benchmark, number {n} of its line.",
            &name,
            index,
        )],
        markers: std::iter::once(short_name)
            .chain(KIND_MARKERS.iter().map(|marker| (*marker).to_owned()))
            .collect(),
        body: Body::Kind(rows(KIND, &name, index)),
    }];
    types.extend(STRUCTS.iter().map(|(suffix, docs, markers, table)| Type {
        name: format!("{name}{suffix}"),
        docs: docs.lines().map(|line| fill(line, &name, index)).collect(),
        markers: markers.iter().map(|marker| fill(marker, &name, index)).collect(),
        body: Body::Struct(rows(table, &name, index)),
    }));
    types.push(Type {
        name: format!("{name}Phase"),
        docs: vec![fill(
            "{kind}Phase is where a {kind} stands in its life.",
            &name,
            index,
        )],
        markers: Vec::new(),
        body: Body::Choice(&["Pending", "Starting", "Running", "Degraded", "Finished"]),
    });
    Kind { name, types }
}

fn rows(table: &[Row], kind: &str, index: usize) -> Vec<Field> {
    let field = |(position, row): (usize, &Row)| Field {
        words: row.words,
        docs: row
            .docs
            .lines()
            .map(|line| fill(line, kind, index + position))
            .collect(),
        markers: row
            .markers
            .iter()
            .map(|marker| fill(marker, kind, index + position))
            .collect(),
        value: match row.value {
            Text => Value::Text,
            Texts => Value::Texts,
            TextMap => Value::TextMap,
            Int32 => Value::Int32,
            Int64 => Value::Int64,
            Bool => Value::Bool,
            Quantity => Value::Quantity,
            IntOrString => Value::IntOrString,
            Time => Value::Time,
            One(suffix) => Value::One(format!("{kind}{suffix}")),
            Many(suffix) => Value::Many(format!("{kind}{suffix}")),
        },
        optional: row.optional,
    };
    table.iter().enumerate().map(field).collect()
}

/// A text with the kind and a number in it. Neighbours get numbers that lie far apart.
fn fill(text: &str, kind: &str, seed: usize) -> String {
    text.replace("{kind}", kind)
        .replace("{n}", &(10 + seed * 37 % 90).to_string())
}

/// The structs of a kind: what follows its name, docs, markers, fields.
type Struct = (
    &'static str,
    &'static str,
    &'static [&'static str],
    &'static [Row],
);

const STRUCTS: &[Struct] = &[
    (
        "Spec",
        "{kind}Spec is what the user wants of a {kind}.\nEverything else follows from it.",
        &[
            "kubebuilder:validation:XValidation:rule=\"!has(self.maxReplicas) || !has(self.replicas) || self.replicas <= self.maxReplicas\",message=\"replicas exceed maxReplicas\"",
        ],
        SPEC,
    ),
    (
        "Status",
        "{kind}Status is what the operator saw last.",
        &[],
        STATUS,
    ),
    ("Template", "{kind}Template describes one replica.", &[], TEMPLATE),
    (
        "Storage",
        "{kind}Storage is a volume that survives its replica.",
        &[],
        STORAGE,
    ),
    (
        "Network",
        "{kind}Network says how replicas are reached.",
        &[],
        NETWORK,
    ),
    ("Port", "{kind}Port is one open port.", &[], PORT),
    (
        "Schedule",
        "{kind}Schedule says when work is done.\n\nTimes are those of the zone that it names.",
        &[
            "kubebuilder:validation:XValidation:rule=\"!has(self.jitterSeconds) || !has(self.windowMinutes) || self.jitterSeconds < self.windowMinutes * 60\",message=\"the jitter is longer than the window\"",
        ],
        SCHEDULE,
    ),
    ("Condition", "{kind}Condition is one observation.", &[], CONDITION),
];

const KIND_MARKERS: &[&str] = &[
    "kubebuilder:object:root=true",
    "kubebuilder:subresource:status",
    "kubebuilder:subresource:scale:specpath=.spec.replicas,statuspath=.status.replicas,selectorpath=.status.selector",
    "kubebuilder:selectablefield:JSONPath=.spec.image",
    "kubebuilder:printcolumn:name=Phase,type=string,JSONPath=.status.phase",
    "kubebuilder:printcolumn:name=Ready,type=string,JSONPath=`.status.conditions[?(@.type==\"Ready\")].status`",
    "kubebuilder:printcolumn:name=Replicas,type=integer,JSONPath=.spec.replicas,description=\"How many there should be\"",
    "kubebuilder:printcolumn:name=Image,type=string,JSONPath=.spec.image,priority=1",
    "kubebuilder:printcolumn:name=Age,type=date,JSONPath=.metadata.creationTimestamp",
];

const KIND: &[Row] = &[
    required("spec", One("Spec"), "What the user wants.", &[]),
    optional("status", One("Status"), "What the operator saw.", &[]),
];

const SPEC: &[Row] = &[
    optional(
        "replicas",
        Int32,
        "How many replicas run at the same time.\nZero stops the {kind} and keeps its volumes.",
        &[
            "kubebuilder:validation:Minimum=0",
            "kubebuilder:validation:Maximum=1{n}",
            "kubebuilder:default=3",
        ],
    ),
    optional(
        "max replicas",
        Int32,
        "Upper bound for whoever scales the {kind}.",
        &[
            "kubebuilder:validation:Minimum=1",
            "kubebuilder:validation:Maximum=1000",
        ],
    ),
    required(
        "image",
        Text,
        "Container image of every replica, with its tag or digest.",
        &[
            "kubebuilder:validation:MinLength=1",
            "kubebuilder:validation:MaxLength=2{n}",
            "kubebuilder:validation:Pattern=`^[a-z0-9]+([./:@_-][a-z0-9]+){0,{n}}$`",
        ],
    ),
    optional(
        "image pull policy",
        Text,
        "When the image is fetched again.",
        &[
            "kubebuilder:validation:Enum=Always;Never;IfNotPresent",
            "kubebuilder:default=IfNotPresent",
        ],
    ),
    optional(
        "paused",
        Bool,
        "Leaves everything as it is while true.",
        &["kubebuilder:default=false"],
    ),
    optional(
        "class name",
        Text,
        "Class that the {kind} belongs to; it is chosen once and for all.",
        &[
            "kubebuilder:validation:MaxLength=63",
            "kubebuilder:validation:XValidation:rule=\"self == oldSelf\",message=\"the class cannot change\"",
        ],
    ),
    optional(
        "labels",
        TextMap,
        "Labels that every replica gets.",
        &["kubebuilder:validation:MaxProperties={n}"],
    ),
    optional(
        "arguments",
        Texts,
        "Arguments of the program, in order.",
        &[
            "kubebuilder:validation:MaxItems={n}",
            "kubebuilder:validation:items:MaxLength=256",
            "listType=atomic",
        ],
    ),
    optional(
        "environment",
        TextMap,
        "Environment of the program, by name.",
        &["mapType=granular"],
    ),
    optional(
        "min ready seconds",
        Int32,
        "How long a replica must answer before it counts, in seconds.",
        &["kubebuilder:validation:Minimum=0", "kubebuilder:default={n}"],
    ),
    optional(
        "revision history limit",
        Int32,
        "How many old revisions are kept for a way back.",
        &[
            "kubebuilder:validation:Minimum=0",
            "kubebuilder:validation:Maximum=100",
            "kubebuilder:default=10",
        ],
    ),
    optional(
        "deadline seconds",
        Int64,
        "How long a change may take before it counts as failed.",
        &[
            "kubebuilder:validation:Minimum=0",
            "kubebuilder:validation:ExclusiveMinimum=true",
        ],
    ),
    optional(
        "max unavailable",
        IntOrString,
        "How many replicas may be away during a change, as a number or a percentage.",
        &["kubebuilder:default=\"{n}%\""],
    ),
    required("template", One("Template"), "What a replica looks like.", &[]),
    optional(
        "storage",
        Many("Storage"),
        "Volumes of every replica.",
        &[
            "kubebuilder:validation:MaxItems=16",
            "listType=map",
            "listMapKey=name",
        ],
    ),
    optional(
        "network",
        One("Network"),
        "How the replicas are reached; without it they are not.",
        &[],
    ),
    optional(
        "schedule",
        One("Schedule"),
        "When the {kind} works; always, if there is none.",
        &[],
    ),
    optional(
        "notes",
        Texts,
        "Notes for people.\nThey have no effect.",
        &[
            "kubebuilder:validation:MaxItems=20",
            "kubebuilder:validation:items:MinLength=1",
            "listType=set",
        ],
    ),
];

const STATUS: &[Row] = &[
    optional(
        "replicas",
        Int32,
        "How many replicas there are.",
        &["kubebuilder:validation:Minimum=0"],
    ),
    optional(
        "ready replicas",
        Int32,
        "How many of them answer.",
        &["kubebuilder:validation:Minimum=0"],
    ),
    optional(
        "selector",
        Text,
        "Labels of the replicas as text, for autoscalers.",
        &[],
    ),
    optional("phase", One("Phase"), "Where the {kind} stands.", &[]),
    optional(
        "observed generation",
        Int64,
        "Generation of the spec that this status belongs to.",
        &[],
    ),
    optional("started at", Time, "When the first replica started.", &[]),
    optional("finished at", Time, "When the last replica ended.", &[]),
    optional(
        "conditions",
        Many("Condition"),
        "Observations by their type.",
        &[
            "kubebuilder:validation:MaxItems={n}",
            "listType=map",
            "listMapKey=type",
        ],
    ),
    optional(
        "message",
        Text,
        "The last event, for people.",
        &["kubebuilder:validation:MaxLength=327{n}"],
    ),
    optional(
        "endpoints",
        Texts,
        "Addresses under which replicas answer.",
        &["listType=set"],
    ),
    optional("capacity", Quantity, "Room on all volumes together.", &[]),
];

const TEMPLATE: &[Row] = &[
    required(
        "name",
        Text,
        "Name of the container.",
        &[
            "kubebuilder:validation:MaxLength=63",
            "kubebuilder:validation:Pattern=`^[a-z]([-a-z0-9]{0,{n}}[a-z0-9])?$`",
        ],
    ),
    optional(
        "priority",
        Int32,
        "Who yields when nodes are full.",
        &[
            "kubebuilder:validation:Minimum=-1000",
            "kubebuilder:validation:Maximum=1000",
            "kubebuilder:default={n}",
        ],
    ),
    optional(
        "host network",
        Bool,
        "Shares the network of the node.",
        &["kubebuilder:default=false"],
    ),
    optional(
        "node selector",
        TextMap,
        "Labels that a node must have.",
        &["mapType=atomic"],
    ),
    optional(
        "service account",
        Text,
        "Account that replicas act as.",
        &["kubebuilder:validation:MinLength=1"],
    ),
    optional(
        "cpu",
        Quantity,
        "Processors that a replica asks for, such as `{n}m`.",
        &[],
    ),
    optional(
        "memory",
        Quantity,
        "Memory that a replica asks for, such as `{n}Mi`.",
        &[],
    ),
    optional(
        "command",
        Texts,
        "Program that runs instead of that of the image.",
        &["kubebuilder:validation:MinItems=1"],
    ),
    optional(
        "working folder",
        Text,
        "Folder that the program starts in.",
        &["kubebuilder:validation:Pattern=`^/`"],
    ),
    optional(
        "grace period seconds",
        Int64,
        "How long a replica may take to stop, in seconds.",
        &[
            "kubebuilder:validation:Minimum=0",
            "kubebuilder:validation:Maximum=3600",
            "kubebuilder:default=30",
        ],
    ),
];

const STORAGE: &[Row] = &[
    required(
        "name",
        Text,
        "Name of the volume.",
        &[
            "kubebuilder:validation:MaxLength=63",
            "kubebuilder:validation:MinLength=1",
        ],
    ),
    required("size", Quantity, "Room on the volume, such as `{n}Gi`.", &[]),
    optional(
        "class",
        Text,
        "Class of the storage; the default one if it is left out.",
        &["kubebuilder:example=fast-{n}"],
    ),
    optional(
        "access modes",
        Texts,
        "Ways in which the volume is mounted.",
        &[
            "kubebuilder:validation:MaxItems=3",
            "kubebuilder:validation:items:Enum=ReadWriteOnce;ReadOnlyMany;ReadWriteMany",
        ],
    ),
    required(
        "mount path",
        Text,
        "Where replicas see the volume.",
        &["kubebuilder:validation:Pattern=`^/[^:]{1,{n}}$`"],
    ),
    optional(
        "read only",
        Bool,
        "Forbids writing.",
        &["kubebuilder:default=false"],
    ),
    optional(
        "retain days",
        Int32,
        "How long the volume outlives its {kind}, in days.",
        &[
            "kubebuilder:validation:Minimum=0",
            "kubebuilder:validation:Maximum=36{n}",
        ],
    ),
    optional(
        "annotations",
        TextMap,
        "Annotations of the claim.",
        &["kubebuilder:validation:MaxProperties={n}"],
    ),
];

const NETWORK: &[Row] = &[
    optional(
        "ports",
        Many("Port"),
        "Ports that are open.",
        &[
            "kubebuilder:validation:MinItems=1",
            "kubebuilder:validation:MaxItems={n}",
            "listType=map",
            "listMapKey=name",
        ],
    ),
    optional(
        "host name",
        Text,
        "Name under which the {kind} is known.",
        &["kubebuilder:validation:Format=hostname"],
    ),
    optional(
        "encrypted",
        Bool,
        "Requires encryption on every port.",
        &["kubebuilder:default=true"],
    ),
    optional(
        "address",
        Text,
        "Fixed address, if there is one.",
        &["kubebuilder:validation:Format=ipv4"],
    ),
    optional(
        "timeout seconds",
        Int32,
        "How long a request may take, in seconds.",
        &[
            "kubebuilder:validation:Minimum=1",
            "kubebuilder:validation:Maximum=3{n}",
            "kubebuilder:default=30",
        ],
    ),
    optional(
        "headers",
        TextMap,
        "Headers that are added to every request.",
        &["kubebuilder:validation:MaxProperties=32"],
    ),
    optional(
        "allowed ranges",
        Texts,
        "Networks that may connect; everyone, if there is none.",
        &[
            "kubebuilder:validation:MaxItems=64",
            "kubebuilder:validation:items:Format=cidr",
            "listType=set",
        ],
    ),
    optional(
        "sticky",
        Bool,
        "Sends a client to the same replica each time.",
        &["kubebuilder:default=false"],
    ),
    optional(
        "weight",
        Int32,
        "Share of the requests, in steps of five.",
        &[
            "kubebuilder:validation:Minimum=0",
            "kubebuilder:validation:Maximum=100",
            "kubebuilder:validation:MultipleOf=5",
        ],
    ),
];

const PORT: &[Row] = &[
    required(
        "name",
        Text,
        "Name of the port.",
        &[
            "kubebuilder:validation:MaxLength=15",
            "kubebuilder:validation:Pattern=`^[a-z0-9-]+$`",
        ],
    ),
    required(
        "port",
        Int32,
        "Number under which it is reached.",
        &[
            "kubebuilder:validation:Minimum=1",
            "kubebuilder:validation:Maximum=65535",
            "kubebuilder:example=80{n}",
        ],
    ),
    optional(
        "protocol",
        Text,
        "Protocol of the port.",
        &[
            "kubebuilder:validation:Enum=TCP;UDP;SCTP",
            "kubebuilder:default=TCP",
        ],
    ),
    optional(
        "target",
        IntOrString,
        "Port of the container, by number or name.",
        &[],
    ),
    optional(
        "exposed",
        Bool,
        "Opens the port to the outside.",
        &["kubebuilder:default=false"],
    ),
    optional(
        "node port",
        Int32,
        "Number on every node.",
        &[
            "kubebuilder:validation:Minimum=30000",
            "kubebuilder:validation:Maximum=32767",
        ],
    ),
];

const SCHEDULE: &[Row] = &[
    required(
        "cron",
        Text,
        "Times in the form of cron.",
        &[
            "kubebuilder:validation:MinLength=9",
            "kubebuilder:validation:MaxLength=1{n}",
        ],
    ),
    optional(
        "time zone",
        Text,
        "Zone of the times.",
        &["kubebuilder:default=UTC", "kubebuilder:validation:MaxLength=64"],
    ),
    optional(
        "suspend",
        Bool,
        "Leaves out all further times.",
        &["kubebuilder:default=false"],
    ),
    optional("not before", Time, "Times before this one are left out.", &[]),
    optional(
        "window minutes",
        Int32,
        "How late work may start, in minutes.",
        &[
            "kubebuilder:validation:Minimum=1",
            "kubebuilder:validation:Maximum=1440",
            "kubebuilder:default={n}",
        ],
    ),
    optional(
        "history",
        Int32,
        "How many finished runs are kept.",
        &[
            "kubebuilder:validation:Minimum=0",
            "kubebuilder:validation:Maximum={n}",
            "kubebuilder:default=3",
        ],
    ),
    optional(
        "days",
        Texts,
        "Days on which work is done; every day, if there is none.",
        &[
            "kubebuilder:validation:MaxItems=7",
            "kubebuilder:validation:items:Enum=Mon;Tue;Wed;Thu;Fri;Sat;Sun",
            "listType=set",
        ],
    ),
    optional(
        "jitter seconds",
        Int64,
        "Work starts up to this much later, so that not all starts at once.",
        &["kubebuilder:validation:Minimum=0"],
    ),
    optional(
        "on failure",
        Text,
        "What happens after a failed run.",
        &[
            "kubebuilder:validation:Enum=Retry;Skip;Stop",
            "kubebuilder:default=Retry",
        ],
    ),
];

const CONDITION: &[Row] = &[
    required(
        "type",
        Text,
        "What is observed.",
        &[
            "kubebuilder:validation:MaxLength=3{n}",
            "kubebuilder:validation:MinLength=1",
        ],
    ),
    required(
        "status",
        Text,
        "Whether it holds.",
        &["kubebuilder:validation:Enum=\"True\";\"False\";Unknown"],
    ),
    required(
        "reason",
        Text,
        "Why, in one word for programs.",
        &["kubebuilder:validation:Pattern=`^[A-Za-z]{1,{n}}$`"],
    ),
    optional(
        "message",
        Text,
        "Why, for people.",
        &["kubebuilder:validation:MaxLength=32768"],
    ),
    required("last transition time", Time, "When it last changed.", &[]),
    optional(
        "observed generation",
        Int64,
        "Generation of the spec that was looked at.",
        &["kubebuilder:validation:Minimum=0"],
    ),
];
