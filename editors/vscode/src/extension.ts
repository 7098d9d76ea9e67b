// Starts `kgen lsp`, and shows previews of CRDs to the side.

import * as vscode from "vscode";
import { LanguageClient } from "vscode-languageclient/node";

interface Preview {
  uri: string;
  text: string;
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
      ],
      initializationOptions: {
        inlayHints: settings.get<boolean>("inlayHints", false),
        kgenToml: settings.get<boolean>("kgenToml", true),
      },
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
  const show = async (preview: Preview): Promise<void> => {
    const document = await vscode.workspace.openTextDocument(keep(preview));
    await vscode.window.showTextDocument(document, {
      viewColumn: vscode.ViewColumn.Beside,
      preserveFocus: true,
    });
  };
  client.onNotification("kgen/previewChanged", keep);
  context.subscriptions.push(
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
