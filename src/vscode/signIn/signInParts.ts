/** Creates the parts that sign in to servers; their bundle is loaded when a server first asks for it. */
import * as vscode from 'vscode';
import type { createAuthorizer } from '../../host/signIn/loadedAuthorizer.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { QuestionQueue } from '../../host/questions/questionQueue.ts';
import { readTextFile } from '../../host/config/textFile.ts';
import { UserWaits } from '../../host/servers/userWaits.ts';
import { AccountAccess } from '../../host/signIn/accountAccess.ts';
import { SharedFolder } from '../../host/signIn/sharedFolder.ts';
import { SignIns } from '../../host/signIn/signIns.ts';
import { section } from '../ids.ts';
import { mementoMemory, secretStorageStore } from '../editor/storage.ts';
import type { EditorSignInUi } from './editorSignInUi.ts';
import type { UriRouter } from '../editor/uriRouter.ts';
import type { KeepFile } from '../text/wholeText.ts';
import { workspaceId } from '../config/workspace.ts';

export interface SignInParts extends Disposable {
  readonly signIns: SignIns;
  readonly waits: UserWaits;
}

/** @param services.onError gets errors that keep windows from renewing tokens one at a time */
export function createSignIns(services: {
  readonly bundle: () => {
    readonly createAuthorizer: typeof createAuthorizer;
    readonly EditorSignInUi: typeof EditorSignInUi;
  };
  readonly context: Pick<vscode.ExtensionContext, 'secrets' | 'globalState' | 'globalStorageUri'>;
  readonly questions: QuestionQueue;
  readonly uris: UriRouter;
  readonly keepFile: KeepFile;
  readonly onError: (error: unknown) => void;
}): SignInParts {
  const { bundle, context, questions, uris, keepFile, onError } = services;
  const store = new DisposableStore();
  // All workspaces share the editor's accounts.
  const accounts = new AccountAccess(mementoMemory(context.globalState));
  const folder = vscode.Uri.joinPath(context.globalStorageUri, 'signIns').fsPath;
  let ui: EditorSignInUi | undefined;
  const signIns = store.add(
    new SignIns({
      store: {
        ...secretStorageStore(context.secrets),
        shared: new SharedFolder(folder, onError),
      },
      accounts,
      workspaceId: workspaceId(),
      readFile: readTextFile,
      load: (request) => {
        const loaded = bundle();
        ui ??= store.add(new loaded.EditorSignInUi(uris, keepFile));
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
  const waits = store.add(new UserWaits(questions, signIns));
  return { signIns, waits, dispose: () => store.dispose() };
}
