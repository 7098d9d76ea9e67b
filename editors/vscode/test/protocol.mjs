// Runs the server with the library below the extension's client, in Node.

import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { createProtocolConnection, StreamMessageReader, StreamMessageWriter } from "vscode-languageserver-protocol/node.js";

const server = spawn(process.env.KGEN, ["lsp"], { stdio: ["pipe", "pipe", "inherit"] });
const connection = createProtocolConnection(
  new StreamMessageReader(server.stdout),
  new StreamMessageWriter(server.stdin),
);
const file = process.env.KGEN_FILE;
const uri = pathToFileURL(file).href;
const text = readFileSync(file, "utf8");

const reported = new Promise((resolve) => {
  connection.onNotification("textDocument/publishDiagnostics", (params) => {
    if (params.uri === uri && params.diagnostics.length > 0) resolve(params.diagnostics);
  });
});
connection.listen();
await connection.sendRequest("initialize", {
  processId: process.pid,
  rootUri: pathToFileURL(process.env.KGEN_PROJECT).href,
  capabilities: {},
});
await connection.sendNotification("initialized", {});
await connection.sendNotification("textDocument/didOpen", {
  textDocument: { uri, languageId: "rust", version: 1, text },
});
const [diagnostic] = await reported;
if (diagnostic.code !== "unknown-marker") throw new Error(JSON.stringify(diagnostic));

const actions = await connection.sendRequest("textDocument/codeAction", {
  textDocument: { uri },
  range: diagnostic.range,
  context: { diagnostics: [diagnostic] },
});
const [edit] = actions[0].edit.changes[uri];
if (edit.newText !== "kubebuilder:validation:Minimum") throw new Error(JSON.stringify(edit));

const lines = text.split("\n");
const line = diagnostic.range.start.line;
lines[line] = "    // +kubebuilder:validation:Min";
await connection.sendNotification("textDocument/didChange", {
  textDocument: { uri, version: 2 },
  contentChanges: [{ text: lines.join("\n") }],
});
const completed = await connection.sendRequest("textDocument/completion", {
  textDocument: { uri },
  position: { line, character: lines[line].length },
});
if (!completed.items.some((item) => item.label === "kubebuilder:validation:Minimum")) {
  throw new Error("`Minimum` is not offered");
}
await connection.sendRequest("shutdown");
await connection.sendNotification("exit");
console.log("kgen: all steps are done");
