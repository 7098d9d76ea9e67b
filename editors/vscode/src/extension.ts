// Starts `kgen lsp`, and shows previews of CRDs to the side.

import * as vscode from "vscode";
import { LanguageClient } from "vscode-languageclient/node";

interface Preview {
  uri: string;
  text: string;
  // The node at which the user works.
  range?: { start: { line: number; character: number } } | null;
}

let client: LanguageClient | undefined;

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const settings = vscode.workspace.getConfiguration("kgen");
  const previews = new Map<string, string>();
  const changed = new vscode.EventEmitter<vscode.Uri>();
  context.subscriptions.push(
    changed,
    vscode.workspace.registerTextDocumentContentProvider("kgen-crd", {
      onDidChange: changed.event,
      provideTextDocumentContent: (uri) => previews.get(uri.toString()) ?? "",
    }),
  );

  client = new LanguageClient(
    "kgen",
    "kgen",
    { command: settings.get<string>("path", "kgen"), args: ["lsp"] },
    {
      documentSelector: [
        { scheme: "file", language: "rust" },
        { scheme: "file", pattern: "**/kgen.toml" },
        // From a generated CRD to its source.
        { scheme: "file", pattern: "**/*.{yaml,yml}" },
        { scheme: "kgen-crd" },
      ],
      initializationOptions: {
        inlayHints: settings.get<boolean>("inlayHints", false),
        kgenToml: settings.get<boolean>("kgenToml", true),
        diff: settings.get<boolean>("diff", false),
      },
      synchronize: { configurationSection: "kgen" },
      middleware: {
        executeCommand: async (command, parameters, next) => {
          const result: Preview | null = await next(command, parameters);
          if (command === "kgen.preview" && result) await show(result);
          return result;
        },
      },
    },
  );

  const keep = (preview: Preview): vscode.Uri => {
    const uri = vscode.Uri.parse(preview.uri);
    previews.set(uri.toString(), preview.text);
    changed.fire(uri);
    return uri;
  };
  const selection = (preview: Preview): vscode.Range | undefined => {
    if (!preview.range) return undefined;
    const { line, character } = preview.range.start;
    return new vscode.Range(line, character, line, character);
  };
  const show = async (preview: Preview): Promise<void> => {
    const document = await vscode.workspace.openTextDocument(keep(preview));
    await vscode.window.showTextDocument(document, {
      viewColumn: vscode.ViewColumn.Beside,
      preserveFocus: true,
      selection: selection(preview),
    });
  };
  client.onNotification("kgen/previewChanged", (preview: Preview) => {
    const uri = keep(preview).toString();
    const range = selection(preview);
    for (const editor of vscode.window.visibleTextEditors) {
      if (range && editor.document.uri.toString() === uri) {
        editor.selection = new vscode.Selection(range.start, range.end);
        editor.revealRange(range, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
      }
    }
  });
  context.subscriptions.push(
    vscode.commands.registerCommand("kgen.previewHere", async () => {
      const editor = vscode.window.activeTextEditor;
      if (!editor) return;
      const { line, character } = editor.selection.active;
      await vscode.commands.executeCommand("kgen.preview", null, {
        textDocument: { uri: editor.document.uri.toString() },
        position: { line, character },
      });
    }),
    vscode.workspace.onDidCloseTextDocument((document) => {
      if (document.uri.scheme === "kgen-crd") {
        previews.delete(document.uri.toString());
        void client?.sendNotification("kgen/closePreview", { uri: document.uri.toString() });
      }
    }),
  );
  await client.start();
}

export async function deactivate(): Promise<void> {
  await client?.stop();
}
