/** Creates the sign-ins to servers. Their bundle is loaded when a server first asks for one. */
import * as vscode from 'vscode';
import type { createAuthorizer } from '../../host/signIn/signInConversation.ts';
import type { QuestionQueue } from '../../host/questions/questionQueue.ts';
import { readTextFile } from '../../host/config/textFile.ts';
import { AccountAccess } from '../../host/signIn/accountAccess.ts';
import { SharedFolder } from '../../host/signIn/sharedFolder.ts';
import { SignIns } from '../../host/signIn/signIns.ts';
import type { Memory, SecretStore } from '../../host/storage.ts';
import type { Registry } from '../editor/registerCommands.ts';
import { section } from '../ids.ts';
import type { createSignInUi } from './editorSignInUi.ts';
import type { UriRouter } from '../editor/uris.ts';
import type { KeepFile } from '../text/wholeText.ts';

/** @param services.onError gets errors that keep windows from renewing tokens one at a time */
export function createSignIns(services: {
  readonly own: Registry['own'];
  readonly bundles: {
    readonly signIn: () => {
      readonly createAuthorizer: typeof createAuthorizer;
      readonly createSignInUi: typeof createSignInUi;
    };
  };
  readonly secrets: SecretStore;
  readonly globalMemory: Memory;
  readonly workspaceId: () => string;
  readonly storage: vscode.Uri;
  readonly questions: QuestionQueue;
  readonly uris: UriRouter;
  readonly keepFile: KeepFile;
  readonly onError: (error: unknown) => void;
}): SignIns {
  const { own, bundles, questions, uris, keepFile, onError } = services;
  // All workspaces share the editor's accounts.
  const accounts = new AccountAccess(services.globalMemory);
  const folder = vscode.Uri.joinPath(services.storage, 'signIns').fsPath;
  let ui: ReturnType<typeof createSignInUi> | undefined;
  return own(
    new SignIns({
      store: {
        ...services.secrets,
        shared: new SharedFolder(folder, onError),
      },
      accounts,
      workspaceId: services.workspaceId,
      readFile: readTextFile,
      load: (request) => {
        const loaded = bundles.signIn();
        ui ??= own(loaded.createSignInUi(uris, keepFile));
        return loaded.createAuthorizer(request, {
          ui,
          questions,
          accounts,
          clientName: 'MCP Host',
        });
      },
      clientMetadataUrl: () =>
        vscode.workspace.getConfiguration(section).get<string>('oauth.clientMetadataUrl') ||
        undefined,
    }),
  );
}
