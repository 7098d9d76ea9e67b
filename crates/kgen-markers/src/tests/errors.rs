//! Every mistake in a marker, with the exact text that is underlined.

use kgen_diagnostics::Code;

use super::{line, problem, refused};
use crate::{Position, parse, trailing};

#[track_caller]
fn fails(text: &str, code: Code, underlined: &str) {
    fails_at(Position::Field, text, code, underlined);
}

#[track_caller]
fn fails_at(position: Position, text: &str, code: Code, underlined: &str) {
    assert_eq!(refused(text, position), (code, underlined.to_owned()), "{text}");
}

#[track_caller]
fn foreign(text: &str) {
    assert!(
        matches!(parse(&line(text).text, Position::Field), Ok(None)),
        "{text} is not foreign"
    );
}

#[test]
fn unknown_names_are_underlined_exactly_and_answered() {
    let (problem, underlined) = problem("+kubebuilder:validation:MaxLenght=40", Position::Field);
    assert_eq!(problem.code, Code::UnknownMarker);
    assert_eq!(underlined, "kubebuilder:validation:MaxLenght");
    assert_eq!(problem.span.map(|span| span.start), Some(4));
    assert_eq!(
        problem.message,
        "there is no marker `kubebuilder:validation:MaxLenght`"
    );
    assert_eq!(
        problem.beside(),
        "did you mean `kubebuilder:validation:MaxLength`?"
    );
    assert_eq!(
        problem.help,
        ["run `kgen markers validation` to list this family"]
    );
}

#[test]
fn suggestions_see_through_case_prefixes_and_arguments() {
    for (text, underlined, meant) in [
        (
            "+kubebuilder:validation:enum=a",
            "kubebuilder:validation:enum",
            "kubebuilder:validation:Enum",
        ),
        (
            "+kubebuilder:validation:nullable",
            "kubebuilder:validation:nullable",
            "nullable",
        ),
        (
            "+kubebuilder:Minimum=1",
            "kubebuilder:Minimum",
            "kubebuilder:validation:Minimum",
        ),
        (
            "+kubebuilder:validation:Minimun:=1",
            "kubebuilder:validation:Minimun",
            "kubebuilder:validation:Minimum",
        ),
        (
            "+kubebuilder:validation:items:MaxLen=1",
            "kubebuilder:validation:items:MaxLen",
            "kubebuilder:validation:items:MaxLength",
        ),
        (
            "+kubebuilder:rback:groups=a,verbs=get",
            "kubebuilder:rback",
            "kubebuilder:rbac",
        ),
        (
            "+kubebulder:rbac:groups=a,verbs=get",
            "kubebulder:rbac",
            "kubebuilder:rbac",
        ),
        (
            "+kubebuilder:validation:XValidaton:rule=\"true\"",
            "kubebuilder:validation:XValidaton",
            "kubebuilder:validation:XValidation",
        ),
        (
            "+genclient:onlyverbs=get",
            "genclient:onlyverbs",
            "genclient:onlyVerbs",
        ),
        ("+genclients", "genclients", "genclient"),
        ("+k8s:maxLenght=5", "k8s:maxLenght", "k8s:maxLength"),
        ("+kgen:alow=rbac-wildcard", "kgen:alow", "kgen:allow"),
        ("+optionl", "optionl", "optional"),
        ("+listtype=map", "listtype", "listType"),
        ("+groupname=example.com", "groupname", "groupName"),
    ] {
        let (problem, found) = problem(text, Position::Field);
        assert_eq!(
            (problem.code, found.as_str()),
            (Code::UnknownMarker, underlined),
            "{text}"
        );
        assert_eq!(problem.beside(), format!("did you mean `{meant}`?"), "{text}");
    }
    let (problem, _) = problem("+kubebuilder:validation:Zzzzzzzzzz=1", Position::Field);
    assert_eq!(problem.beside(), "");
}

#[test]
fn foreign_markers_are_left_alone() {
    for text in [
        "+my:thing=1",
        "+my:thing(x)",
        "+note this well",
        "+five",
        "+heat rises",
        "+k9s",
        "+operator-sdk:gen-csv:customresourcedefinitions.displayName=x",
    ] {
        foreign(text);
    }
}

#[test]
fn misplaced_and_detached_markers() {
    fails_at(
        Position::Type,
        "+kubebuilder:default=5",
        Code::MisplacedMarker,
        "kubebuilder:default",
    );
    fails_at(Position::Type, "+genclient", Code::MisplacedMarker, "genclient");
    fails_at(
        Position::Field,
        "+groupName=x",
        Code::MisplacedMarker,
        "groupName",
    );
    fails_at(Position::Module, "+optional", Code::MisplacedMarker, "optional");
    fails_at(
        Position::Variant,
        "+kubebuilder:validation:MaxLength=5",
        Code::MisplacedMarker,
        "kubebuilder:validation:MaxLength",
    );
    fails_at(
        Position::OtherItem("a function"),
        "+optional",
        Code::MisplacedMarker,
        "optional",
    );
    fails_at(
        Position::Nothing,
        "+kubebuilder:validation:Enum=a",
        Code::DetachedMarker,
        "kubebuilder:validation:Enum",
    );
    let (problem, _) = problem("+kubebuilder:validation:Optional", Position::Type);
    assert_eq!(
        problem.message,
        "`kubebuilder:validation:Optional` is not allowed on a type"
    );
    assert_eq!(problem.help, ["put it at the top of a module or on a field"]);
    for position in [
        Position::Nothing,
        Position::Variant,
        Position::OtherItem("a function"),
        Position::Module,
    ] {
        assert!(
            parse(
                &line("+kubebuilder:rbac:groups=a,resources=b,verbs=get").text,
                position
            )
            .is_ok()
        );
        assert!(parse(&line("+kgen:allow=rbac-wildcard").text, position).is_ok());
    }
}

#[test]
fn dead_last_segments() {
    fails("+kubebuilder:validation:MaxLength:x=5", Code::MarkerText, ":x");
    fails("+optional:always", Code::MarkerText, ":always");
    fails("+kubebuilder:validation:MaxLength:x", Code::MarkerText, ":x");
}

#[test]
fn text_behind_the_value() {
    fails(
        "+kubebuilder:validation:Enum=a;b // note",
        Code::MarkerText,
        "// note",
    );
    fails(
        "+kubebuilder:validation:Enum=a;b # note",
        Code::MarkerText,
        "# note",
    );
    fails(
        "+kubebuilder:validation:Format=uri // note",
        Code::MarkerText,
        "// note",
    );
    fails(
        "+kubebuilder:validation:MaxLength=5 // note",
        Code::MarkerText,
        "// note",
    );
    fails("+kubebuilder:validation:Pattern=`a` b", Code::MarkerText, "b");
    fails(
        "+kubebuilder:validation:Pattern=^a{1,2}$",
        Code::MarkerText,
        ",2}$",
    );
    fails("+kubebuilder:default=a,b", Code::MarkerText, ",b");
    fails("+optional // because", Code::MarkerText, "// because");
    fails("+optional, really", Code::MarkerText, ", really");
    fails("+k8s:optional(x)", Code::MarkerText, "(x)");
    fails("+default=1 2", Code::MarkerText, "2");
}

#[test]
fn blanks_around_the_name() {
    fails("+kubebuilder:default = 5", Code::MarkerText, " ");
    fails(
        "+kubebuilder:validation:XValidation:rule =\"true\"",
        Code::MarkerText,
        " ",
    );
    fails_at(
        Position::Kind,
        "+kubebuilder:resource:path:=foo",
        Code::MarkerText,
        ":",
    );
}

#[test]
fn arguments() {
    let kind = Position::Kind;
    fails_at(
        kind,
        "+kubebuilder:resource:pat=foos",
        Code::MarkerArgument,
        "pat",
    );
    fails_at(
        kind,
        "+kubebuilder:resource:path=foos,scop=Cluster",
        Code::MarkerArgument,
        "scop",
    );
    fails_at(
        kind,
        "+kubebuilder:resource:path=a,path=b",
        Code::MarkerArgument,
        "path",
    );
    fails_at(kind, "+kubebuilder:resource=foos", Code::MarkerArgument, "=foos");
    fails_at(kind, "+kubebuilder:resource:path", Code::MarkerArgument, "path");
    fails_at(kind, "+kubebuilder:resource:path=a,", Code::MarkerText, ",");
    fails_at(
        kind,
        "+kubebuilder:printcolumn:name=Age,type=date",
        Code::MarkerArgument,
        "kubebuilder:printcolumn",
    );
    fails_at(
        kind,
        "+kubebuilder:printcolumn",
        Code::MarkerArgument,
        "kubebuilder:printcolumn",
    );
    fails_at(
        kind,
        "+kubebuilder:printcolumn:name=,type=string,JSONPath=.x",
        Code::MarkerValue,
        ",",
    );
    fails(
        "+kubebuilder:rbac:groups=apps,resources=pods",
        Code::MarkerArgument,
        "kubebuilder:rbac",
    );
    fails(
        "+kubebuilder:validation:MaxLength",
        Code::MarkerArgument,
        "kubebuilder:validation:MaxLength",
    );
    fails(
        "+k8s:subfield=+k8s:maxLength=5",
        Code::MarkerArgument,
        "k8s:subfield",
    );
    fails("+k8s:unionMember(onion: \"a\")", Code::MarkerArgument, "onion");
    fails(
        "+k8s:unionMember(union: \"a\", union: \"b\")",
        Code::MarkerArgument,
        "union",
    );

    let (problem, _) = problem(
        "+kubebuilder:rbac:groups=apps,resources=pods,verbs=get,list",
        Position::Nothing,
    );
    assert_eq!(
        (problem.code, problem.message.as_str()),
        (Code::MarkerArgument, "`list` is not an argument: `=` is missing")
    );
    assert_eq!(
        problem.help,
        ["separate the values of `verbs` with `;`, or quote a value that contains `,`"]
    );
    let (problem, _) = super::problem("+kubebuilder:resource:path=foos,scop=Cluster", kind);
    assert_eq!(problem.beside(), "did you mean `scope`?");
}

#[test]
fn ill_typed_values() {
    fails(
        "+kubebuilder:validation:MaxLength=five",
        Code::MarkerValue,
        "five",
    );
    fails(
        "+kubebuilder:validation:MaxLength=0x10",
        Code::MarkerValue,
        "0x10",
    );
    fails(
        "+kubebuilder:validation:MaxLength=\"5\"",
        Code::MarkerValue,
        "\"5\"",
    );
    fails("+kubebuilder:validation:MaxLength=-1", Code::MarkerValue, "-1");
    fails(
        "+kubebuilder:validation:MaxLength=99999999999999999999",
        Code::MarkerValue,
        "99999999999999999999",
    );
    fails("+kubebuilder:validation:MaxLength=", Code::MarkerValue, "=");
    fails(
        "+kubebuilder:validation:Minimum=1_000",
        Code::MarkerValue,
        "1_000",
    );
    fails(
        "+kubebuilder:validation:Minimum=1e999",
        Code::MarkerValue,
        "1e999",
    );
    fails(
        "+kubebuilder:validation:UniqueItems=yes",
        Code::MarkerValue,
        "yes",
    );
    fails("+optional=true", Code::MarkerValue, "=true");
    fails("+listType=mapp", Code::MarkerValue, "mapp");
    fails(
        "+kubebuilder:validation:XValidation:rule=\"true\",reason=Bad",
        Code::MarkerValue,
        "Bad",
    );
    fails("+kubebuilder:title=5", Code::MarkerValue, "5");
    fails("+kubebuilder:default=null", Code::MarkerValue, "null");
    fails("+default=null", Code::MarkerValue, "null");
    fails("+default=Marie", Code::MarkerValue, "M");
    fails("+default=ref(DefaultName)", Code::MarkerValue, "ref(DefaultName)");
    fails("+kubebuilder:validation:Enum=a;;b", Code::MarkerValue, ";");
    fails("+kubebuilder:validation:Enum=[a]", Code::MarkerValue, "[a]");
    fails(
        "+kubebuilder:validation:Pattern=\"\\d\"",
        Code::MarkerValue,
        "\\d",
    );
    fails("+k8s:format=k8s-ip", Code::MarkerValue, "k8s-ip");
    fails("+k8s:eachVal=5", Code::MarkerValue, "5");
    fails("+k8s:eachVal=+optional", Code::MarkerValue, "optional");
    fails_at(
        Position::Kind,
        "+kubebuilder:resource:scope=cluster",
        Code::MarkerValue,
        "cluster",
    );
    fails_at(
        Position::Kind,
        "+genclient:onlyVerbs=Get",
        Code::MarkerValue,
        "Get",
    );
    fails_at(
        Position::Kind,
        "+genclient:onlyVerbs=get;list",
        Code::MarkerValue,
        ";",
    );
    fails_at(Position::Kind, "+genclient:onlyVerbs=get,", Code::MarkerValue, "");
    fails_at(Position::Kind, "+genclient=true", Code::MarkerValue, "=true");
    fails("+kgen:allow=everything", Code::MarkerValue, "everything");
}

#[test]
fn single_quotes_are_no_quotes() {
    fails("+kubebuilder:default='a'", Code::SingleQuotes, "'a'");
    fails("+kubebuilder:validation:Enum='a';'b'", Code::SingleQuotes, "'a'");
    fails(
        "+kubebuilder:validation:Enum=a;'b, c'",
        Code::SingleQuotes,
        "'b, c'",
    );
    fails(
        "+kubebuilder:validation:XValidation:rule='self.a, self.b'",
        Code::SingleQuotes,
        "'self.a, self.b'",
    );
    fails("+kubebuilder:validation:MaxLength='5'", Code::SingleQuotes, "'5'");
    let (problem, _) = problem("+kubebuilder:default='a \"b\"'", Position::Field);
    assert_eq!(problem.beside(), "write `a \"b\"`");
    for text in [
        "+kubebuilder:validation:XValidation:rule=\"self != 'zz'\"",
        "+kubebuilder:validation:XValidation:rule=self != 'zz'",
        "+kubebuilder:default=it's",
        "+kubebuilder:title='tis",
    ] {
        assert!(parse(&line(text).text, Position::Field).is_ok(), "{text}");
    }
}

#[test]
fn unclosed_values() {
    fails("+kubebuilder:validation:Pattern=`^a", Code::UnclosedValue, "`^a");
    fails(
        "+kubebuilder:validation:XValidation:rule=\"self",
        Code::UnclosedValue,
        "\"self",
    );
    fails("+kubebuilder:default={a, b", Code::UnclosedValue, "{a, b");
    fails("+kubebuilder:default={a: 1", Code::UnclosedValue, "{a: 1");
    fails("+kubebuilder:default=[1, 2", Code::UnclosedValue, "[1, 2");
    fails("+default={\"a\": 1", Code::UnclosedValue, "{\"a\": 1");
    fails("+k8s:subfield(name", Code::UnclosedValue, "(name");
    fails(
        "+k8s:unionMember(union: \"a\"",
        Code::UnclosedValue,
        "(union: \"a\"",
    );
}

#[test]
fn markers_behind_code() {
    let found = trailing(&line("+kubebuilder:validation:Minimum=1").text).expect("a problem");
    assert_eq!(found.code, Code::TrailingMarker);
    super::check_wording(&found);
    for text in [
        "+optional",
        "+optionl",
        "+kubebuilder:nonsense",
        "+kubebuilder:rbac:groups=a",
    ] {
        assert!(trailing(&line(text).text).is_some(), "{text}");
    }
    for text in ["+my:thing", "+x", "+one more"] {
        assert!(trailing(&line(text).text).is_none(), "{text}");
    }
}

#[test]
fn entries_in_catalogs_differ_on_kinds_and_fields() {
    let name = "operator-sdk:csv:customresourcedefinitions";
    for (position, arguments, underlined, message) in [
        (
            Position::Kind,
            "type=spec",
            "spec",
            "`type` is an argument of the marker of a field",
        ),
        (
            Position::Kind,
            "xDescriptors={\"a\"}",
            "{\"a\"}",
            "`xDescriptors` is an argument of the marker of a field",
        ),
        (
            Position::Field,
            "type=spec,resources={{Pod,v1}}",
            "{{Pod,v1}}",
            "`resources` is an argument of the marker of a kind",
        ),
        (
            Position::Field,
            "displayName=x",
            name,
            "`operator-sdk:csv:customresourcedefinitions` needs the argument `type`",
        ),
        (
            Position::Kind,
            "resources={{Pod}}",
            "{Pod}",
            "a resource consists of a kind, a version and an optional name",
        ),
    ] {
        let text = format!("+{name}:{arguments}");
        let (problem, found) = problem(&text, position);
        assert_eq!(
            (problem.message.as_str(), found.as_str()),
            (message, underlined),
            "{text}"
        );
    }
    fails_at(
        Position::Type,
        "+operator-sdk:csv:customresourcedefinitions:displayName=x",
        Code::MisplacedMarker,
        name,
    );
}
