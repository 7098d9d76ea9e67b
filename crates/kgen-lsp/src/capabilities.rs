//! The capabilities of the server and of the client.

use serde_json::{Value, json};

use crate::text::Encoding;
use crate::{commands, tokens};

/// The parts of the client's capabilities and settings that matter.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Client {
    pub(crate) encoding: Encoding,
    /// Whether the client asks for diagnostics; otherwise they are pushed.
    pub(crate) pulls: bool,
    /// Whether the client can be told to ask for all diagnostics again.
    pub(crate) refreshes: bool,
    pub(crate) snippets: bool,
    /// Whether edits can name the version of the document that they are for.
    pub(crate) versioned_edits: bool,
    pub(crate) watches_files: bool,
    /// Whether the client answers questions about settings.
    pub(crate) has_settings: bool,
    pub(crate) settings: Settings,
}

/// The settings of the user.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Settings {
    /// Whether hints about JSON names and defaults are wanted.
    pub(crate) hints: bool,
    /// Whether `kgen.toml` is left to another server.
    pub(crate) without_toml: bool,
    /// Whether changes since the default branch are shown as hints.
    pub(crate) diff: bool,
}

impl Settings {
    /// Takes the settings that an object has; the others stay.
    pub(crate) fn update(&mut self, options: &Value) {
        let flag = |name: &str| options.get(name).and_then(Value::as_bool);
        self.hints = flag("inlayHints").unwrap_or(self.hints);
        self.without_toml = flag("kgenToml").map_or(self.without_toml, |wanted| !wanted);
        self.diff = flag("diff").unwrap_or(self.diff);
    }
}

impl Client {
    /// Reads the parameters of `initialize`.
    pub(crate) fn of(params: &Value) -> Self {
        let flag = |path: &str| params.pointer(path).and_then(Value::as_bool) == Some(true);
        let encodings = params.pointer("/capabilities/general/positionEncodings");
        let has_utf8 = encodings
            .and_then(Value::as_array)
            .is_some_and(|list| list.iter().any(|encoding| encoding == "utf-8"));
        let mut settings = Settings::default();
        settings.update(params.get("initializationOptions").unwrap_or(&Value::Null));
        Self {
            encoding: if has_utf8 { Encoding::Utf8 } else { Encoding::Utf16 },
            pulls: params
                .pointer("/capabilities/textDocument/diagnostic")
                .is_some_and(Value::is_object),
            refreshes: flag("/capabilities/workspace/diagnostics/refreshSupport"),
            snippets: flag("/capabilities/textDocument/completion/completionItem/snippetSupport"),
            versioned_edits: flag("/capabilities/workspace/workspaceEdit/documentChanges"),
            watches_files: flag("/capabilities/workspace/didChangeWatchedFiles/dynamicRegistration"),
            has_settings: flag("/capabilities/workspace/configuration"),
            settings,
        }
    }
}

/// Returns the answer to `initialize`.
pub(crate) fn answer(client: Client) -> Value {
    let mut capabilities = json!({
        "positionEncoding": client.encoding.word(),
        "textDocumentSync": {"openClose": true, "change": 2, "save": true},
        "completionProvider": {
            "triggerCharacters": ["+", ":", "=", ",", ".", "\"", ";", "{"],
            "resolveProvider": true,
        },
        "hoverProvider": true,
        "codeActionProvider": {
            "codeActionKinds": ["quickfix", "source.fixAll.kgen", "refactor.rewrite"],
        },
        "definitionProvider": true,
        "referencesProvider": true,
        "documentSymbolProvider": true,
        "workspaceSymbolProvider": true,
        "codeLensProvider": {"resolveProvider": false},
        "inlayHintProvider": true,
        "workspace": {"workspaceFolders": {"supported": true, "changeNotifications": true}},
        "semanticTokensProvider": {
            "legend": {"tokenTypes": tokens::TYPES, "tokenModifiers": []},
            "full": true,
        },
        "executeCommandProvider": {"commands": commands::NAMES},
    });
    if client.pulls
        && let Some(members) = capabilities.as_object_mut()
    {
        members.insert(
            "diagnosticProvider".to_owned(),
            json!({"identifier": "kgen", "interFileDependencies": true, "workspaceDiagnostics": true}),
        );
    }
    json!({
        "capabilities": capabilities,
        "serverInfo": {"name": "kgen", "version": env!("CARGO_PKG_VERSION")},
    })
}

/// Returns the registration for changes of files that are not open.
pub(crate) fn watched_files() -> Value {
    let watchers: Vec<Value> = ["**/*.rs", "**/kgen.toml", "**/Cargo.toml", "**/Cargo.lock"]
        .iter()
        .map(|glob| json!({"globPattern": glob}))
        .collect();
    json!({"registrations": [{
        "id": "kgen-files",
        "method": "workspace/didChangeWatchedFiles",
        "registerOptions": {"watchers": watchers},
    }]})
}
