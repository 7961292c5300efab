/**
 * The composition root: the only file that knows every layer. It creates the parts in order, hands each what it needs,
 * and disposes them at the end. It decides nothing.
 *
 * The protocol and the schema checker are bundles of their own, loaded on first use.
 */
import type { Connector } from './host/servers/connector.ts';
import type { ConsentPrompt, InputPrompt } from './host/launch/launchPrompts.ts';
import { markActive } from './vscode/editor/startMarks.ts';
import * as vscode from 'vscode';
import { Emitter, setUnexpectedErrorHandler } from './base/event.ts';
import { lazyBundles, lazyChecker, settingsReaders } from './entries/bundles.ts';
import { lazily } from './base/lazily.ts';
import type { FlagSentences } from './vscode/toolFlags/toolWatch.ts';
import type { Elicitation } from './host/elicitation/elicitation.ts';
import { ToolSelection } from './host/chat/toolSelection.ts';
import { featuresFor, visitsFor } from './host/servers/features.ts';
import { QuestionQueue } from './host/questions/questionQueue.ts';
import { ContributedServers } from './host/launch/contributedServers.ts';
import { InputValues } from './host/launch/inputs.ts';
import type { ServerConfig } from './host/config/serverConfig.ts';
import { StartConsent } from './host/launch/startConsent.ts';
import { TrustedServers } from './host/toolApproval/trustedServers.ts';
import { WorkspaceRoots } from './host/roots/workspaceRoots.ts';
import { systemClock } from './base/clock.ts';
import { McpHost } from './host/servers/host.ts';
import { gateAfter } from './host/launch/prepareLaunch.ts';
import { ServerMemory } from './host/servers/serverMemory.ts';
import { KeptAudit } from './vscode/audit/keptAudit.ts';
import { createExports, type Exports, listServers } from './vscode/extensions/exports.ts';
import { maxTools } from './vscode/chat/maxTools.ts';
import { type ChatBundle, registerParticipant } from './vscode/chat/registerParticipant.ts';
import { offerServers } from './vscode/editorChat/offerServers.ts';
import { signInCommands } from './vscode/signIn/signInCommands.ts';
import { createSignIns } from './vscode/signIn/signInParts.ts';
import type { EditText } from './vscode/text/textEditing.ts';
import { questionCommands, WaitingQuestions } from './vscode/questions/waitingQuestions.ts';
import { registerCommands } from './vscode/commands/registerCommands.ts';
import { serverCommands } from './vscode/servers/serverCommands.ts';
import { workbenchCommands } from './vscode/commands/workbenchCommands.ts';
import { ConfigSource } from './vscode/config/configSource.ts';
import { ConsentNotice } from './vscode/launch/consentNotice.ts';
import { tellContexts } from './vscode/servers/contexts.ts';
import { Development } from './vscode/dev/development.ts';
import type { Workbench } from './vscode/workbench/createWorkbench.ts';
import { errorStack } from './vscode/text/errorText.ts';
import { registerLanguageModelTools } from './vscode/chat/languageModelToolNames.ts';
import { followLevels, OutputLogs } from './vscode/editor/logs.ts';
import { RequestsView } from './vscode/requests/requestsView.ts';
import { showResources } from './vscode/resources/resourceSurfaces.ts';
import { ServerStatusBar } from './vscode/servers/statusBar.ts';
import { Inspecting } from './vscode/inspector/inspectorCommands.ts';
import { mementoMemory, secretStorageStore } from './vscode/editor/storage.ts';
import { ResultFiles } from './vscode/text/resultFiles.ts';
import { ServersView } from './vscode/tree/serversView.ts';
import { trustSetting } from './vscode/config/trustSetting.ts';
import { UriRouter } from './vscode/editor/uriRouter.ts';
import type { KeepFile } from './vscode/text/wholeText.ts';
import { AddingServers } from './vscode/import/addingServers.ts';
import type { TrialServices } from './vscode/import/trial.ts';
import { EditorWorkspace, workspaceId } from './vscode/config/workspace.ts';

/** How long the window waits for servers to end when it closes. The editor itself waits 5 s. */
const closeLimitMs = 4_000;

let close: (() => Promise<void>) | undefined;

export function activate(context: vscode.ExtensionContext): Exports {
  const own = <T extends vscode.Disposable>(part: T): T => {
    context.subscriptions.push(part);
    return part;
  };
  const logs = own(new OutputLogs());
  const onError = (error: unknown): void => logs.hostLog.error(errorStack(error));
  setUnexpectedErrorHandler(onError);
  const bundles = lazyBundles(onError);

  const connector = lazily<Connector>(() => {
    const bundle = bundles.servers();
    const version = String(context.extension.packageJSON.version);
    return bundle.createConnector({ name: 'mcp-host', title: 'MCP Host', version }, memory);
  });
  const audit = new KeptAudit(
    () => bundles.workbench().createAudit(context.globalStorageUri, onError),
    onError,
  );
  const serverMemory = new ServerMemory();
  const asks = new QuestionQueue((id, withinMs) => host.hasJustAsked(id, withinMs));
  const results = new ResultFiles(serverMemory.open());
  const keepFile: KeepFile = (file) => results.add([file])[0];
  let asking: Elicitation | undefined;
  const elicitation = lazily(() => {
    const parts = { questions: asks, checker, clock: systemClock, keepFile, audit };
    asking = bundles.chat().createElicitation(parts);
    return asking;
  });
  const checker = lazyChecker(bundles, own);

  const workspace = own(new EditorWorkspace());
  const memory = mementoMemory(context.workspaceState);
  const contributed = new ContributedServers();
  const userData = vscode.Uri.joinPath(context.globalStorageUri, '..', '..');
  const readers = settingsReaders(bundles, userData);
  const config = own(new ConfigSource(logs.hostLog, contributed, userData, readers));
  const secrets = secretStorageStore(context.secrets);
  const dialogs = lazily(() => bundles.chat().createDialogs(keepFile));
  const ask: ConsentPrompt & InputPrompt = {
    ask: (...question) => dialogs().ask(...question),
    confirmStart: (...question) => dialogs().confirmStart(...question),
  };
  const inputs = new InputValues(secrets, ask, workspaceId(), asks);
  const consents = new StartConsent(workspace, ask, memory, asks, audit);
  const roots = new WorkspaceRoots(workspace);
  const globalMemory = mementoMemory(context.globalState);
  const uris = own(new UriRouter());
  const { signIns, waits } = own(
    createSignIns({ bundle: bundles.signIn, context, questions: asks, uris, keepFile, onError }),
  );
  const launchParts = { workspace, roots, inputs: contributed.inputs(inputs) };
  const gate: TrialServices['gate'] = (parts) =>
    bundles
      .servers()
      .createLaunchGate({ ...launchParts, ...parts }, () => bundles.servers().reaper);
  const launching = lazily(() => gate({ config: () => config.current, consent: consents }));

  const shared = { connector, serverMemory, workspace, roots, signIns, logs };
  const trial = { ...shared, gate, keepFile, questions: asks };
  const adding = new AddingServers({ bundle: bundles.imports, userData, inputs, trial });
  own(adding.acceptLinks(uris, onError));

  const development = own(new Development(bundles.workbench));
  const asked = { roots, elicitation, sampling: () => sampling().sampling };
  const host = new McpHost({
    ...shared,
    waits,
    features: (server) => featuresFor(server, { ...asked, extensions: config.extensions }),
    gate: gateAfter(() => config.firstLook(), {
      prepare: async (server, signal) =>
        development.noted(server, await launching().prepare(server, signal)),
      readiness: async (server) => launching().readiness(server),
      isHeldUp: (id) => asks.isHeldUp(id),
    }),
    log: logs.hostLog,
    clock: systemClock,
  });
  development.follow(own(host), logs);

  const trusted = new TrustedServers(trustSetting, memory);
  const sampling = lazily(() =>
    bundles.chat().createSampling({
      questions: asks,
      log: (server) => logs.open(server).log,
      audit,
      memory,
      trusted,
      clock: systemClock,
      servers: () => config.current.servers.filter(({ hiddenBy }) => hiddenBy === undefined),
      keepFile,
      editing: editing(),
    }),
  );
  const editing = lazily(() => new (bundles.chat().TextEditing)());
  const editText: EditText = (edit, signal) => editing().run(edit, signal);
  const selection = new ToolSelection(memory);
  /** The parts that ask before a tool runs and remember the answer. */
  const approving = {
    questions: asks,
    trusted,
    workspaceMemory: memory,
    globalMemory,
    log: logs.hostLog,
    audit,
  };
  const approval = lazily(() =>
    bundles.chat().createApproval(host, {
      checker,
      editText,
      keep: keepFile,
      settings: () => config.bridge,
      ...approving,
    }),
  );
  const flagsOf: FlagSentences = (server, tool) => approval().watch.flagsOf(server, tool);
  const visits = (server: ServerConfig): ReturnType<typeof visitsFor> =>
    visitsFor(server, { elicitation, audit, trusted });
  /** The parts that every tool call needs, whoever makes it. */
  const calling = lazily(() => {
    const { approvals } = approval();
    return { host, approvals, selection, checker, visits, keepFile };
  });
  const changes = own(new Emitter<void>());
  const apis = lazily(() =>
    own(
      bundles.workbench().createExtensionApis({
        ...calling(),
        contributed,
        listServers: () => listServers(host),
        onDidChange: changes.event,
        ...approving,
      }),
    ),
  );
  const workbench: () => Workbench = lazily(() =>
    bundles.workbench().createWorkbench({
      ...calling(),
      roots,
      consents,
      inputs,
      trusted,
      access: () => apis().access,
      results,
      watched,
      editText,
      flagsOf,
      maxTools,
      memory,
      logs,
      inspector: launching,
    }),
  );
  const account = serverMemory.open();
  const log = logs.hostLog;
  const { watched } = own(
    showResources({ host, results, memory, account, log, parts: () => workbench().parts }),
  );
  own(new ServerStatusBar(host, config));
  own(new ConsentNotice(host));
  const requests = own(new RequestsView(host, bundles.workbench));
  own(new WaitingQuestions(asks));
  const offered = own(
    offerServers({
      host,
      workspace,
      settings: () => config.bridge,
      approveTool: (...call) => approval().approveTool(...call),
      visits,
      selection,
      workspaceMemory: memory,
      log: logs.hostLog,
      createBridge: (parts) => bundles.servers().createBridge(parts),
    }),
  );
  const seen = { host, config, chat: offered.chat, signIns, flagsOf, watched, log: logs.hostLog };
  const tree = own(
    new ServersView(bundles.workbench, { ...seen, storage: context.globalStorageUri }),
  );
  const chatBundle = lazily<ChatBundle>(() =>
    bundles.chat().createChat({
      ...calling(),
      keepFiles: (files) => results.add(files),
      askArguments: (...form) => workbench().askArguments(...form),
      pickResource: (...words) => workbench().pickResource(...words),
      previewPrompt: (...prompt) => workbench().previewPrompt(...prompt),
      maxTools,
    }),
  );
  const isOffered = (server: ServerConfig): boolean => offered.chat.isPublished(server);
  own(
    registerLanguageModelTools(
      lazily(() => bundles.chat().createLanguageModelTools({ ...calling(), isOffered })),
    ),
  );
  const inspecting = own(
    new Inspecting(host, () => {
      const parts = { ...shared, ...calling(), editText };
      return new (bundles.workbench().Inspectors)(parts);
    }),
  );
  own(registerParticipant(chatBundle, vscode.Uri.joinPath(context.extensionUri, 'media/icon.png')));
  own(
    registerCommands(
      {
        ...serverCommands(host, logs, asks),
        addServer: () => adding.add(),
        ...workbenchCommands(workbench),
        ...questionCommands(asks),
        ...signInCommands({ host, signIns, logs, views: () => bundles.signIn().storedSignInViews }),
        manageSampling: () => sampling().manage(),
        ...audit.commands,
        useEditedText: () => editing().finish(true),
        discardEdits: () => editing().finish(false),
        showDetails: (node) => bundles.chat().showDetails(host, keepFile, node),
        ...inspecting.commands,
        ...tree.commands,
        ...requests.commands,
      },
      logs,
    ),
  );

  const onChange = (): void => {
    tellContexts(host);
    asking?.endVisits((id) => host.servers.get(id)?.state.kind !== 'ready');
    changes.fire();
  };
  own(host.onDidChangeServers(onChange));
  own(host.onDidChangeServer(onChange));
  own(followLevels(logs, host));
  own(
    config.onDidChange((current) => {
      host.reconcile(current);
      offered.chat.refresh();
      tree.refresh();
    }),
  );
  close = async () => {
    await Promise.all([host.close(closeLimitMs), offered.close()]);
    await audit.close();
  };
  host.reconcile(config.current);
  config.tellProblems();
  markActive();
  return createExports(host, changes.event, (version, caller) => apis().open(version, caller));
}

export async function deactivate(): Promise<void> {
  await close?.();
  close = undefined;
}
