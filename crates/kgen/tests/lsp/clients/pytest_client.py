"""Runs the server with the client of pytest-lsp."""

import asyncio
import os
import pathlib

from lsprotocol import types
from pytest_lsp import LanguageClient, make_test_lsp_client


async def main() -> None:
    client: LanguageClient = make_test_lsp_client()
    await client.start_io(os.environ["KGEN"], "lsp")
    root = pathlib.Path(os.environ["KGEN_PROJECT"]).as_uri()
    file = pathlib.Path(os.environ["KGEN_FILE"])
    uri = file.as_uri()
    await client.initialize_session(
        types.InitializeParams(
            capabilities=types.ClientCapabilities(),
            root_uri=root,
            workspace_folders=[types.WorkspaceFolder(uri=root, name="project")],
        )
    )
    text = file.read_text()
    client.text_document_did_open(
        types.DidOpenTextDocumentParams(types.TextDocumentItem(uri, "rust", 1, text))
    )
    while not client.diagnostics.get(uri):
        await client.wait_for_notification("textDocument/publishDiagnostics")
    [diagnostic] = client.diagnostics[uri]
    assert diagnostic.code == "unknown-marker", diagnostic

    document = types.TextDocumentIdentifier(uri)
    actions = await client.text_document_code_action_async(
        types.CodeActionParams(document, diagnostic.range, types.CodeActionContext([diagnostic]))
    )
    [edit] = actions[0].edit.changes[uri]
    assert edit.new_text == "kubebuilder:validation:Minimum", edit

    line = diagnostic.range.start.line
    lines = text.split("\n")
    lines[line] = "    // +kubebuilder:validation:Min"
    client.text_document_did_change(
        types.DidChangeTextDocumentParams(
            types.VersionedTextDocumentIdentifier(2, uri),
            [types.TextDocumentContentChangeWholeDocument("\n".join(lines))],
        )
    )
    completed = await client.text_document_completion_async(
        types.CompletionParams(document, types.Position(line, len(lines[line])))
    )
    assert "kubebuilder:validation:Minimum" in [item.label for item in completed.items]
    await client.shutdown_session()
    print("kgen: all steps are done")


asyncio.run(asyncio.wait_for(main(), 120))
