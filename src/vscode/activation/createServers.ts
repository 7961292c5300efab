/**
 * Creates what the servers of a window need, in this order: the questions to the user; what prepares a start; the host
 * that runs the servers of the settings; and what every call of a tool needs, whoever makes it.
 */
import { systemClock } from '../../base/clock.ts';
import { lazily } from '../../base/lazily.ts';
import type { Audit } from '../../host/audit/audit.ts';
import { ToolSelection } from '../../host/chat/toolSelection.ts';
import type { ServerConfig } from '../../host/config/serverConfig.ts';
import type { ApproveTool } from '../../host/editorChat/approveTool.ts';
import type { CallHistory } from '../../host/history/callHistory.ts';
import type { InputPrompt, InputValues } from '../../host/launch/inputs.ts';
import { gateAfter } from '../../host/launch/launchGate.ts';
import type { LaunchPreparation } from '../../host/launch/launchPreparation.ts';
import { type ConsentPrompt, StartConsent } from '../../host/launch/startConsent.ts';
import { QuestionQueue } from '../../host/questions/questionQueue.ts';
import { type AskHandlers, featuresFor, callServicesFor } from '../../host/servers/features.ts';
import { McpHost } from '../../host/servers/host.ts';
import type { SignIns } from '../../host/signIn/signIns.ts';
import type { ToolCallServices } from '../../host/tools/callTool.ts';
import type { RunningCalls } from '../../host/tools/runningCalls.ts';
import type { ConfigSource } from '../config/configSource.ts';
import { offersSkills, showsApps } from '../config/editorWorkspace.ts';
import { followLevels } from '../editor/logs.ts';
import { WaitingQuestions, questionCommands } from '../questions/waitingQuestions.ts';
import type { EditText } from '../text/textEditing.ts';
import type { FlagSentences } from '../toolFlags/toolWatch.ts';
import type { Shared } from './shared.ts';

export type Questions = ReturnType<typeof createQuestions>;

/** @param parts.host called with the first question of a server */
export function createQuestions(
  parts: Shared & { readonly audit: Audit; readonly host: () => McpHost },
) {
  const { own, addCommands, bundles, keepFile, host } = parts;
  const questions = new QuestionQueue((id, withinMs) => host().hasJustAsked(id, withinMs));
  const dialogs = lazily(() => bundles.chat().createDialogs(keepFile));
  const prompt: ConsentPrompt & InputPrompt = {
    ask: (...question) => dialogs().ask(...question),
    confirmStart: (...question) => dialogs().confirmStart(...question),
  };
  const editing = lazily(() => new (bundles.chat().TextEditing)());
  const editText: EditText = (edit, signal) => editing().run(edit, signal);
  own(new WaitingQuestions(questions));
  addCommands({
    ...questionCommands(questions),
    useEditedText: () => editing().finish(true),
    discardEdits: () => editing().finish(false),
  });
  return {
    questions,
    prompt,
    editing,
    editText,
    elicitation: lazily(() =>
      bundles.chat().createElicitation({ ...parts, questions, host: host(), clock: systemClock }),
    ),
  };
}

export type Launching = ReturnType<typeof createLaunching>;

type GateParts = ConstructorParameters<typeof LaunchPreparation>[0];

export function createLaunching(
  parts: Shared & Questions & { readonly audit: Audit; readonly config: ConfigSource },
) {
  const { audit, bundles, config, contributed, memory, prompt, questions, roots, workspace } =
    parts;
  const inputs = lazily((): InputValues => {
    const { secrets, workspaceId } = parts;
    return new (bundles.servers().InputValues)(secrets, prompt, workspaceId, questions);
  });
  const consents = new StartConsent(workspace, prompt, memory, questions, audit);
  // One for all gates: a trial finds the programs that a start finds, and the login shell is asked once.
  const machine = lazily(() => {
    const { localMachine, loginShell, reaper } = bundles.servers();
    return localMachine(loginShell(() => reaper));
  });
  const gate = (given: Pick<GateParts, 'config' | 'consent' | 'given'>): LaunchPreparation =>
    new (bundles.servers().LaunchPreparation)({
      workspace,
      roots,
      inputs: contributed.inputs(inputs()),
      ...given,
      machine: machine(),
    });
  return {
    inputs,
    consents,
    /** For a server that is not in the settings. */
    gate,
    /** For the servers of the settings. */
    launchGate: lazily(() => gate({ config: () => config.current, consent: consents })),
  };
}

export function createHost(
  parts: Shared &
    Questions &
    Launching &
    Pick<AskHandlers, 'sampling'> & { readonly config: ConfigSource; readonly signIns: SignIns },
): McpHost {
  const { own, bundles, config, launchGate, logs } = parts;
  const host = own(
    new McpHost({
      ...parts,
      features: (server) =>
        featuresFor(server, {
          ...parts,
          extensions: config.extensions,
          apps: showsApps(),
          skills: offersSkills(),
        }),
      gate: gateAfter(() => config.firstLook(), launchGate),
      clock: systemClock,
    }),
  );
  // What watches and debugs servers is loaded with the first that is being developed.
  const devServers = lazily(() => own(new (bundles.workbench().DevServers)(host, logs)));
  own(
    host.onDidChangeServers(() => {
      if ([...host.servers.values()].some((server) => server.config.dev !== undefined)) {
        devServers();
      }
    }),
  );
  own(followLevels(logs, host));
  own(config.onDidChange((current) => host.reconcile(current)));
  return host;
}

export function createToolCalls(
  parts: Shared &
    Questions & {
      readonly audit: Audit;
      readonly history: CallHistory;
      readonly runningCalls: RunningCalls;
      readonly config: ConfigSource;
      readonly host: McpHost;
    },
) {
  const selection = new ToolSelection(parts.memory);
  const approval = lazily(() => parts.bundles.chat().createApproval(parts));
  const callServices = (server: ServerConfig): ToolCallServices => callServicesFor(server, parts);
  const flagsOf: FlagSentences = (server, tool) => approval().watch.flagsOf(server, tool);
  const approveTool: ApproveTool = (...call) => approval().approveTool(...call);
  return {
    selection,
    callServices,
    flagsOf,
    approveTool,
    /** The parts for whoever calls tools. */
    callParts: lazily(() => {
      return { ...parts, ...approval(), selection, callServices, flagsOf };
    }),
  };
}
