/**
 * Calls a tool: checks input before and structured output after. Who makes the call has no effect here; callers get any
 * necessary approval before.
 */
import { t } from '../../base/l10n.ts';
import type { SchemaChecker } from '../schemas/schemaChecker.ts';
import { Throttle } from '../../base/throttle.ts';
import { isMcpError } from '../../mcp/errors.ts';
import type { CallOptions, KeptTask, Progress, Session } from '../../mcp/session/session.ts';
import { revisions } from '../../mcp/revisions.ts';
import type { JsonSchema, Tool } from '../../mcp/types/lists.ts';
import type { CallToolResult, ParamsOf } from '../../mcp/types/methods.ts';
import { type Audit, audited, inputFacts, sizeOf } from '../audit/audit.ts';
import type { CallHistory } from '../history/callHistory.ts';
import type { UseSession } from '../resources/resources.ts';
import type { ServerConfig } from '../config/serverConfig.ts';
import type { ToolApprovals } from '../toolApproval/approvals.ts';
import type { RunningCalls, RunningTask, OpenCall } from './runningCalls.ts';
import { claimsOf } from '../toolApproval/toolDefinition.ts';
import { type RequestOrigin, fromModel, isAsked } from '../requestOrigin.ts';

/** Progress notifications that are reported for one call; beyond them, the last one of each second. */
export const progressRate = { perSecond: 50, maxHeld: 1 } as const;

export interface ToolCall {
  readonly tool: Tool;
  readonly input: Readonly<Record<string, unknown>>;
  readonly signal: AbortSignal;
  readonly onProgress?: CallOptions['onProgress'];
  /** The user trusts the server: its annotations of tools count. */
  readonly isTrusted?: boolean;
  /** Records the call; absent: nobody does. */
  readonly recorded?: Recorders & { readonly server: ServerConfig };
  /** The task of an earlier window. */
  readonly resumed?: { readonly note: RunningTask; readonly task: OpenCall };
  /** For the record and the list of running requests. Absent: a model. */
  readonly origin?: RequestOrigin;
}

/** Where calls are recorded. */
export interface Recorders {
  readonly audit: Audit;
  /** Absent: there is none. */
  readonly history?: CallHistory;
  /** Keeps them beyond this window; absent: they end with it. */
  readonly runningCalls?: Pick<RunningCalls, 'open'>;
}

/** What the host adds to every call of a server's tools. */
export type ToolCallServices = Pick<ToolCall, 'isTrusted' | 'recorded'>;

/** What callers of tools need, whoever they call for. */
export interface CallerServices {
  readonly approvals: Pick<ToolApprovals, 'request' | 'requestAll'>;
  readonly checker: () => SchemaChecker;
  readonly callServices: (server: ServerConfig) => ToolCallServices;
}

export type ToolOutcome =
  /** Nothing was sent: the input does not match the tool's schema. One sentence per violation. */
  | { readonly kind: 'invalidInput'; readonly problems: readonly string[] }
  | {
      readonly kind: 'result';
      /** May report an error of the tool itself (`isError`). */
      readonly result: CallToolResult;
      /** Violations of the output schema: the structured output must not be treated as valid (TOOL-11, TOOL-12). */
      readonly outputProblems: readonly string[];
      /** Why input or output could not be checked: the tool's schema is unusable. */
      readonly unchecked: readonly string[];
    };

/** @throws McpError what the call itself fails with. */
export async function callTool(
  target: { readonly withSession: UseSession },
  checker: SchemaChecker,
  call: ToolCall,
): Promise<ToolOutcome> {
  const { tool, input } = call;
  const inputCheck = await check(checker, tool.inputSchema, input, 'The input');
  if (inputCheck.problems.length > 0) {
    return { kind: 'invalidInput', problems: inputCheck.problems };
  }
  const run = async (session: Session, signal: AbortSignal): Promise<ToolOutcome> => {
    const params = { name: tool.name, arguments: input };
    const result = await sendToolCall(session, params, { ...call, signal });
    const { structuredOutput } = revisions[session.server.revision];
    const outputCheck = structuredOutput ? await checkOutput(checker, tool, result) : unproblematic;
    return {
      kind: 'result',
      result,
      outputProblems: outputCheck.problems,
      unchecked: [...inputCheck.unchecked, ...outputCheck.unchecked],
    };
  };
  return target.withSession(run, call.signal, isAsked(call.origin ?? fromModel));
}

/**
 * The call itself, without checks.
 * @throws McpError what the call fails with
 */
export async function sendToolCall(
  session: Session,
  params: ParamsOf<'tools/call'>,
  call: Omit<ToolCall, 'input'>,
): Promise<CallToolResult> {
  const { recorded, resumed, origin = fromModel } = call;
  if (recorded === undefined) {
    return send(session, params, call);
  }
  const { audit, history, runningCalls, server } = recorded;
  const subject = {
    event: 'toolCall',
    caller: origin.kind === 'client' ? 'model' : origin.kind,
    ...(origin.kind === 'extension' && { extension: origin.id }),
    tool: params.name,
    ...inputFacts(params.arguments),
  } as const;
  const { tool } = call;
  const { arguments: input = {} } = params;
  const task =
    resumed?.task ??
    runningCalls?.open(server, { era: session.server.era, tool: tool.name, origin }, () =>
      history?.inputOf(tool, input),
    );
  const run = (): Promise<CallToolResult> =>
    audited(audit, server, subject, async (note) => {
      const result = await send(session, params, call, task);
      note({
        outcome: result.isError === true ? 'toolError' : 'done',
        resultSize: sizeOf(result),
      });
      return result;
    });
  const earlier = resumed && { earlier: resumed.note };
  const made = { server, tool, input, origin, ...earlier, isLeft: () => task?.isLeft() ?? false };
  try {
    return await (history === undefined ? run() : history.keep(made, run));
  } finally {
    task?.over();
  }
}

/** The result of a task that an earlier window has left. @throws McpError also when the server no longer knows it */
export function resumeToolCall(
  session: Session,
  resumed: NonNullable<ToolCall['resumed']>,
  call: ToolCallServices & Pick<ToolCall, 'signal'>,
): Promise<CallToolResult> {
  const { tool: name, origin } = resumed.note;
  const tool = { name, inputSchema: {} };
  return sendToolCall(session, { name }, { ...call, tool, origin, resumed });
}

async function send(
  session: Session,
  params: ParamsOf<'tools/call'>,
  { signal, onProgress, origin = fromModel, ...call }: Omit<ToolCall, 'input'>,
  kept?: KeptTask,
): Promise<CallToolResult> {
  const isRepeatable = mayRepeat(call);
  const reports = new Throttle<Progress>(progressRate, (progress) => onProgress?.(progress));
  const options = {
    signal,
    origin,
    ...(onProgress && { onProgress: (progress: Progress) => reports.push(progress) }),
    ...(isRepeatable && { isRepeatable }),
    ...(kept && { kept }),
  };
  try {
    return await session.call('tools/call', params, options);
  } finally {
    reports.flush(); // what came before the answer is told before it
  }
}

/** A trusted server says that a repeated call has no further effect (HTTP-14). */
function mayRepeat({ tool, isTrusted }: Pick<ToolCall, 'tool' | 'isTrusted'>): boolean {
  const { effect, isIdempotent } = claimsOf(tool);
  return isTrusted === true && (effect === 'readOnly' || isIdempotent === true);
}

/**
 * One sentence per violation of the tool's input schema; none when the schema is unusable. For callers that check
 * before they ask for an approval.
 */
export async function inputProblems(
  checker: SchemaChecker,
  tool: Tool,
  input: ToolCall['input'],
): Promise<readonly string[]> {
  const { problems } = await check(checker, tool.inputSchema, input, 'The input');
  return problems;
}

interface Check {
  readonly problems: readonly string[];
  readonly unchecked: readonly string[];
}

const unproblematic: Check = { problems: [], unchecked: [] };

async function checkOutput(
  checker: SchemaChecker,
  tool: Tool,
  result: CallToolResult,
): Promise<Check> {
  // A failed tool call needs no structured output.
  if (tool.outputSchema === undefined || result.isError === true) {
    return unproblematic;
  }
  return result.structuredContent === undefined
    ? {
        problems: [t('The tool declares an output schema but returned no structured content')],
        unchecked: [],
      }
    : check(checker, tool.outputSchema, result.structuredContent, 'The structured output');
}

/** An unusable schema does not prevent the call: the server checks its input itself. */
async function check(
  checker: SchemaChecker,
  schema: JsonSchema,
  value: unknown,
  what: string,
): Promise<Check> {
  try {
    return { problems: await checker.check(schema, value), unchecked: [] };
  } catch (error) {
    if (isMcpError(error) && error.code === 'unsupported') {
      return { problems: [], unchecked: [`${what} could not be checked: ${error.message}`] };
    }
    throw error;
  }
}
