/**
 * Runs a tool by hand: pick, arguments (askInput.ts, inputWizard.ts), confirmation (host/toolApproval/approvals.ts),
 * progress with Cancel, result as a page (showResult.ts).
 */
import * as vscode from 'vscode';
import { offer } from '../editor/offer.ts';
import { pickOne } from '../editor/pickOne.ts';
import type { Disposable } from '../../base/disposable.ts';
import { isObject, type JsonObject } from '../../base/json.ts';
import { whenListed } from '../../host/catalog/catalog.ts';
import { displayLabel } from '../../host/catalog/labels.ts';
import type { QuestionQueue } from '../../host/questions/questionQueue.ts';
import { fromUser } from '../../host/requestOrigin.ts';
import type { ServerConnection } from '../../host/servers/connection.ts';
import type { McpHost } from '../../host/servers/host.ts';
import type { ToolInput } from '../../host/toolApproval/approvals.ts';
import { callTool, type CallerServices, type ToolOutcome } from '../../host/tools/callTool.ts';
import type { KeptInputs } from '../../host/tools/keptInputs.ts';
import { durationText, progressText } from '../../host/tools/resultView.ts';
import { isCancelled, isMcpError, McpError } from '../../mcp/errors.ts';
import type { Progress } from '../../mcp/session/session.ts';
import type { Tool } from '../../mcp/types/lists.ts';
import { cancellable, neverAborted, type ProgressReport } from '../text/cancellation.ts';
import { errorText } from '../text/errorText.ts';
import type { ResultFiles } from '../text/resultFiles.ts';
import { dotted, oneLine } from '../text/labelText.ts';
import type { EditText } from '../text/textEditing.ts';
import { type FlagSentences, toolItem } from '../toolFlags/toolWatch.ts';
import type { ToolNode } from '../tree/nodes.ts';
import { askToolInput } from './inputWizard.ts';
import type { ToolCall, ToolRun } from './resultDocument.ts';
import { showResult } from './showResult.ts';

/** The tab of a call's app. */
export interface CallTab {
  readonly isSeen: () => Promise<boolean>;
  /** Brings it to the front, and opens it again where it was closed. */
  readonly show: () => Promise<void>;
}

/** Opens the app of a tool for a call that begins; undefined when it has none, or apps are off. */
export type ShowApp = (tool: Tool, call: ToolCall, run: Promise<ToolRun>) => CallTab | undefined;

export interface RunServices extends CallerServices {
  readonly host: McpHost;
  readonly questions: Pick<QuestionQueue, 'open' | 'waiting' | 'isExpected'>;
  readonly results: ResultFiles;
  /** Earlier inputs of tools, offered again. */
  readonly inputs: KeptInputs;
  readonly editText: EditText;
  readonly flagsOf: FlagSentences;
  readonly showApp: ShowApp;
}

interface Target {
  readonly connection: ServerConnection;
  readonly tool: Tool;
}

/** @param argument a row of the view; with anything else the user picks a tool */
export async function runTool(services: RunServices, argument: unknown): Promise<void> {
  const target = isToolNode(argument)
    ? targetOf(services.host, argument)
    : await pickTool(services);
  if (target === undefined) {
    return;
  }
  const input = await askInput(services, target);
  if (input !== undefined) {
    await runWith(services, target, input);
  }
}

/** A call to be made once more. */
export interface Rerun {
  readonly serverId: string;
  /** Its name. */
  readonly server: string;
  readonly tool: string;
  /** What is known of the input. */
  readonly input: JsonObject;
  /** Nothing of the input is missing, so it is not asked for again. */
  readonly isWhole: boolean;
}

/** Starts the server if necessary. @throws McpError also when the server or its tool is gone */
export async function runToolAgain(services: RunServices, rerun: Rerun): Promise<void> {
  const connection = services.host.servers.get(rerun.serverId);
  if (connection === undefined) {
    const text = vscode.l10n.t(
      'The MCP server "{0}" is not in the settings of this window any more.',
      oneLine(rerun.server, 60),
    );
    throw new McpError('invalidInput', text);
  }
  await connection.start();
  await whenListed([connection]);
  const tool = connection.catalog.items('tools').find(({ name }) => name === rerun.tool);
  if (tool === undefined) {
    const text = vscode.l10n.t(
      'MCP server "{0}" no longer offers the tool "{1}".',
      oneLine(rerun.server, 60),
      oneLine(rerun.tool, 80),
    );
    throw new McpError('invalidInput', text);
  }
  const target = { connection, tool };
  const { input } = rerun;
  const whole = rerun.isWhole ? input : await askInput(services, target, input);
  if (whole !== undefined) {
    await runWith(services, target, whole);
  }
}

/** @param start what the form begins with */
function askInput(
  { inputs, editText, checker }: RunServices,
  { connection, tool }: Target,
  start?: JsonObject,
): Promise<ToolInput | undefined> {
  return askToolInput(
    {
      server: connection.config.name,
      tool,
      earlier: inputs.of(connection.id, tool),
      forgetEarlier: () => inputs.forget(connection.id, tool),
      ...(start && { start }),
    },
    { checker: checker(), editText },
  );
}

async function runWith(services: RunServices, target: Target, typed: ToolInput): Promise<void> {
  const { connection, tool } = target;
  const approval = await services.approvals.request(
    { server: connection.config, tool, input: typed, caller: 'user' },
    neverAborted,
  );
  if (approval.kind === 'denied') {
    if (approval.isRuled === true) {
      throw new McpError('denied', approval.why);
    }
    return;
  }
  const { input } = approval;
  await services.inputs.keep(connection.id, tool, input);
  const { name: server } = connection.config;
  const call: ToolCall = {
    server,
    serverId: connection.id,
    tool: tool.name,
    title: displayLabel(tool),
    input,
  };
  const running = runCall(services, target, call);
  const app = services.showApp(tool, call, running);
  const run = await running;
  const { questions, results } = services;
  const { open, waiting } = questions;
  // A page takes the focus: of the question that is on the screen, or of what the user has turned to meanwhile.
  const mayOpen = questions.isExpected(connection.id) && open.length === waiting.length;
  if (app === undefined && mayOpen) {
    showResult(run, results);
  } else if ((await app?.isSeen()) !== true) {
    const text = vscode.l10n.t(
      'MCP server "{0}": the result of "{1}" is there.',
      oneLine(server, 60),
      oneLine(displayLabel(tool), 80),
    );
    const show = app?.show ?? (async () => showResult(run, results));
    offer(vscode.window.showInformationMessage, text, vscode.l10n.t('Show Result'), show);
  }
}

/** @throws McpError when the call ends without a result */
async function runCall(services: RunServices, target: Target, call: ToolCall): Promise<ToolRun> {
  const startedAt = Date.now();
  const outcome = await callNamed(services, target, call.input);
  if (outcome.kind === 'invalidInput') {
    throw new McpError('invalidInput', outcome.problems.join(' '));
  }
  return { ...call, ...outcome, durationMs: Date.now() - startedAt };
}

function isToolNode(value: unknown): value is ToolNode {
  return isObject(value) && value['kind'] === 'tool';
}

function targetOf(host: McpHost, { serverId, tool }: ToolNode): Target | undefined {
  const connection = host.servers.get(serverId);
  return connection === undefined ? undefined : { connection, tool };
}

async function pickTool({ host, flagsOf }: RunServices): Promise<Target | undefined> {
  await whenListed(host.servers.values());
  const items = [...host.servers.values()].flatMap((connection) =>
    connection.catalog.items('tools').map((tool) => ({
      detail: oneLine(tool.description ?? '', 150),
      ...toolItem(connection.config, tool, flagsOf),
      description: oneLine(connection.config.name, 60),
      target: { connection, tool },
    })),
  );
  const picked = await pickOne(items, vscode.l10n.t('No running MCP server offers tools.'), {
    placeHolder: vscode.l10n.t('Which tool should run?'),
    matchOnDescription: true,
    matchOnDetail: true,
  });
  return picked?.target;
}

/** @throws McpError that names the server first: the tool's title and the rest may be the server's own words. */
async function callNamed(
  services: RunServices,
  target: Target,
  input: ToolInput,
): Promise<ToolOutcome> {
  try {
    return await callWithProgress(services, target, input);
  } catch (error) {
    if (!isMcpError(error) || isCancelled(error)) {
      throw error;
    }
    const { connection, tool } = target;
    const text = vscode.l10n.t(
      'MCP server "{0}": "{1}" failed: {2}',
      oneLine(connection.config.name, 60),
      oneLine(displayLabel(tool), 80),
      errorText(error),
    );
    throw new McpError(error.code, text, { cause: error });
  }
}

function callWithProgress(
  { checker, callServices, questions }: RunServices,
  { connection, tool }: Target,
  input: ToolInput,
): Thenable<ToolOutcome> {
  const asks = (): boolean => questions.open.some(({ serverId }) => serverId === connection.id);
  return cancellable(
    vscode.l10n.t(
      '{0}: running {1}',
      oneLine(connection.config.name, 60),
      oneLine(displayLabel(tool), 80),
    ),
    async (signal, report) => {
      const shown = new CallProgress(report, asks);
      try {
        return await callTool(connection, checker(), {
          ...callServices(connection.config),
          origin: fromUser,
          tool,
          input,
          signal,
          onProgress: (progress) => shown.show(progress),
        });
      } finally {
        shown.dispose();
      }
    },
  );
}

const tickMs = 1_000;

/** The editor wants increments that add up to 100; servers send positions on their own scale. */
class CallProgress implements Disposable {
  readonly #report: ProgressReport;
  readonly #asks: () => boolean;
  readonly #startedAt = Date.now();
  #text = '';
  #percent = 0;
  readonly #ticks = setInterval(() => this.#draw(0), tickMs);

  /** @param asks whether the server waits for an answer of the user */
  constructor(report: ProgressReport, asks: () => boolean) {
    this.#report = report;
    this.#asks = asks;
  }

  show(position: Progress): void {
    const { progress, total } = position;
    const percent = total === undefined || total <= 0 ? 0 : Math.min(100, (100 * progress) / total);
    const increment = Math.max(0, percent - this.#percent);
    this.#percent += increment;
    this.#text = progressText(position, (text) => oneLine(text, 100));
    this.#draw(increment);
  }

  dispose(): void {
    clearInterval(this.#ticks);
  }

  #draw(increment: number): void {
    const elapsed = Date.now() - this.#startedAt;
    const time = elapsed < tickMs ? '' : durationText(Math.floor(elapsed / 1_000) * 1_000);
    this.#report.report({
      message: dotted(this.#asks() ? vscode.l10n.t('waits for your answer') : this.#text, time),
      ...(increment > 0 ? { increment } : {}),
    });
  }
}
