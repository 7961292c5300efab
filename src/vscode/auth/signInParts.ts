/** Puts together what signs in to servers, so that its bundle is loaded when a server first asks for it. */
import * as vscode from 'vscode';
import type * as auth from '../../auth.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { QuestionQueue } from '../../host/asks/questionQueue.ts';
import { readTextFile } from '../../host/config/textFile.ts';
import type { Memory, SecretStore } from '../../host/ports.ts';
import { UserWaits } from '../../host/servers/userWaits.ts';
import { AccountAccess } from '../../host/signIn/accountAccess.ts';
import { SignIns } from '../../host/signIn/signIns.ts';
import { section } from '../ids.ts';
import type { UriRouter } from '../uriRouter.ts';
import { workspaceId } from '../workspace.ts';

export interface SignInParts extends Disposable {
  readonly signIns: SignIns;
  readonly waits: UserWaits;
}

/** @param globalMemory that all workspaces share, as they share the accounts of the editor */
export function createSignIns(services: {
  readonly bundle: () => typeof auth;
  readonly secrets: SecretStore;
  readonly questions: QuestionQueue;
  readonly globalMemory: Memory;
  readonly uris: UriRouter;
}): SignInParts {
  const { bundle, secrets, questions, globalMemory, uris } = services;
  const store = new DisposableStore();
  const accounts = new AccountAccess(globalMemory);
  let ui: InstanceType<typeof auth.EditorSignInUi> | undefined;
  const signIns = store.add(
    new SignIns({
      store: secrets,
      accounts,
      workspaceId: workspaceId(),
      readFile: readTextFile,
      load: (request) => {
        const { EditorSignInUi, createAuthorizer } = bundle();
        ui ??= store.add(new EditorSignInUi(uris));
        return createAuthorizer(request, { ui, questions, accounts, clientName: 'MCP Host' });
      },
      clientMetadataUrl: () =>
        vscode.workspace.getConfiguration(section).get<string>('oauth.clientMetadataUrl') ||
        undefined,
    }),
  );
  const waits = store.add(new UserWaits(questions, signIns));
  return { signIns, waits, dispose: () => store.dispose() };
}
