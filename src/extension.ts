/**
 * The composition root: the only file that knows every part. It creates them in order, hands each the ones before it,
 * and closes them at the end. It decides nothing. Each part takes what its type names; what it does stands in its file.
 *
 * The code of most parts is in bundles that are loaded on first use.
 */
import { markActive } from './vscode/activation/startMarks.ts';
import type * as vscode from 'vscode';
import { lazily } from './base/lazily.ts';
import type { McpHost } from './host/servers/host.ts';
import { RunningCalls } from './host/tools/runningCalls.ts';
import {
  createHost,
  createLaunching,
  createQuestions,
  createToolCalls,
} from './vscode/activation/createServers.ts';
import { createShared } from './vscode/activation/shared.ts';
import { registerApps } from './vscode/apps/registerApps.ts';
import { registerAudit } from './vscode/audit/registerAudit.ts';
import { registerChat } from './vscode/chat/registerChat.ts';
import { workbenchCommands } from './vscode/editor/registerCommands.ts';
import { ConfigSource } from './vscode/config/configSource.ts';
import { offerServers } from './vscode/editorChat/offerServers.ts';
import { createExports, type Exports } from './vscode/extensions/exports.ts';
import { registerHistory } from './vscode/history/registerHistory.ts';
import { registerAddServer } from './vscode/import/registerAddServer.ts';
import { registerInspector } from './vscode/inspector/inspectorCommands.ts';
import { ConsentNotice } from './vscode/launch/consentNotice.ts';
import { registerRequests } from './vscode/requests/requestsView.ts';
import { registerResources } from './vscode/resources/registerResources.ts';
import { registerServers } from './vscode/servers/registerServers.ts';
import { createSignIns } from './vscode/signIn/signInParts.ts';
import { registerTree } from './vscode/tree/serversView.ts';
import type { Workbench } from './vscode/workbench/createWorkbench.ts';

/** How long the window waits for servers to end when it closes. The editor itself waits 5 s. */
const closeLimitMs = 4_000;

let close: (() => Promise<void>) | undefined;

export function activate(context: vscode.ExtensionContext): Exports {
  const shared = createShared(context);
  const { own, addCommands, bundles } = shared;
  const audit = registerAudit(shared);
  const history = registerHistory({
    ...shared,
    runToolAgain: (rerun) => workbench().runToolAgain(rerun),
  });
  const config = own(new ConfigSource(shared));

  // What a start needs of the user, and what a server may ask.
  const questions = createQuestions({ ...shared, audit, host: () => host });
  const asking = { ...shared, ...questions, audit, config };
  const sampled = lazily(() => bundles.chat().createSampling(asking));
  const sampling = () => sampled().sampling;
  const parts = { ...asking, sampling, signIns: createSignIns(asking), ...createLaunching(asking) };

  // The servers, and what works on them for people, programs and models.
  const host: McpHost = createHost(parts);
  const runningCalls = new RunningCalls(shared.memory);
  const hosted = { ...parts, host, history, runningCalls };
  const { callParts, ...calls } = createToolCalls(hosted);
  const { exports, apis } = createExports(hosted, callParts);
  const workbench: () => Workbench = lazily(() =>
    bundles.workbench().createWorkbench({ ...hosted, ...callParts(), ...apps, apis, watched }),
  );
  const apps = registerApps(hosted, callParts, (run) => workbench().showResult(run));
  const watched = registerResources({ ...hosted, workbench });
  const offered = offerServers({ ...hosted, ...calls, ...apps });

  registerServers(hosted);
  registerTree({ ...hosted, ...calls, ...apps, watched, chat: offered.chat });
  registerRequests(hosted);
  registerInspector(hosted, callParts);
  registerChat(hosted, () => ({ ...callParts(), ...apps, workbench, editorChat: offered.chat }));
  registerAddServer(hosted);
  own(new ConsentNotice(host));
  addCommands(workbenchCommands(workbench));
  addCommands({ manageSampling: () => sampled().manage() });

  close = async () => {
    runningCalls.leaveAll();
    await Promise.all([host.close(closeLimitMs), offered.close()]);
    await Promise.all([audit.close(), history.close()]);
  };
  host.reconcile(config.current);
  if (runningCalls.all.length > 0) {
    own(
      bundles.workbench().resumeTasks({
        ...hosted,
        callServices: calls.callServices,
        showResult: (run) => workbench().showResult(run),
      }),
    );
  }
  config.tellProblems();
  markActive();
  return exports;
}

export async function deactivate(): Promise<void> {
  await close?.();
  close = undefined;
}
