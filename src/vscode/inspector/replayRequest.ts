/**
 * Sends a request of the inspector again, possibly edited. A tool call is confirmed as if the user ran the tool;
 * everything else only reads.
 */
import type { SchemaChecker } from '../../host/schemas/schemaChecker.ts';
import * as vscode from 'vscode';
import { isObject, isString } from '../../base/json.ts';
import type { Replayable } from '../../host/inspector/seenMessage.ts';
import type { ToolApprovals } from '../../host/toolApproval/approvals.ts';
import { fromUser } from '../../host/requestOrigin.ts';
import type { ServerConfig } from '../../host/config/serverConfig.ts';
import type { ServerConnection } from '../../host/servers/connection.ts';
import { callTool, type ToolCallServices } from '../../host/tools/callTool.ts';
import { isMcpError, McpError } from '../../mcp/errors.ts';
import type { ParamsOf } from '../../mcp/types/methods.ts';
import type { EditText } from '../text/textEditing.ts';
import { neverAborted, cancellable } from '../text/cancellation.ts';
import { oneLine } from '../text/labelText.ts';

export interface ReplayParts {
  readonly approvals: ToolApprovals;
  readonly checker: () => SchemaChecker;
  readonly callServices: (server: ServerConfig) => ToolCallServices;
  readonly editText: EditText;
}

type Sending = Replayable & {
  /** Sends, and shows which message that was. */
  readonly expected: <T>(params: Replayable['params'], send: () => Promise<T>) => Promise<T>;
};

/** @throws McpError, except for an error response of the server, which the inspector shows */
export async function replayRequest(
  connection: ServerConnection,
  sending: Sending,
  parts: ReplayParts,
): Promise<void> {
  try {
    await (sending.method === 'tools/call'
      ? callAgain(connection, sending, parts)
      : sendAgain(connection, sending));
  } catch (error) {
    if (!isMcpError(error) || error.code !== 'rpc') {
      throw error;
    }
  }
}

/** The edited parameters, or undefined when the user gave up. */
export function editParams(
  { method, params }: Replayable,
  editText: EditText,
): Promise<Replayable['params'] | undefined> {
  return editText(
    {
      name: oneLine(method.replaceAll('/', '-'), 60),
      language: 'json',
      text: JSON.stringify(params, undefined, 2),
      hint: (use) =>
        vscode.l10n.t('Change the parameters of "{0}", then choose "{1}"', method, use),
      read: (text) => {
        let value: unknown;
        try {
          value = JSON.parse(text);
        } catch (cause) {
          const wrong = vscode.l10n.t('The parameters are not valid JSON.');
          throw new McpError('invalidInput', wrong, { cause });
        }
        if (!isObject(value)) {
          const wrong = vscode.l10n.t('The parameters must be an object: { … }');
          throw new McpError('invalidInput', wrong);
        }
        return value;
      },
    },
    neverAborted,
  );
}

async function sendAgain(
  connection: ServerConnection,
  { method, params, expected }: Sending,
): Promise<void> {
  // Sends what the user wrote: its effect on the server is what the user wants to see.
  const sent: ParamsOf<typeof method> = JSON.parse(JSON.stringify(params));
  await withProgress(connection, method, (signal) =>
    expected(params, () =>
      connection.withSession(
        (session, both) => session.call(method, sent, { isFresh: true, signal: both }),
        signal,
        true,
      ),
    ),
  );
}

async function callAgain(
  connection: ServerConnection,
  { params, expected }: Sending,
  { approvals, checker, callServices }: ReplayParts,
): Promise<void> {
  const { config, catalog } = connection;
  const name = isString(params['name']) ? params['name'] : '';
  const tool = catalog.items('tools').find((one) => one.name === name);
  if (tool === undefined) {
    const text = vscode.l10n.t(
      'MCP server "{0}" no longer offers the tool "{1}".',
      oneLine(config.name, 60),
      oneLine(name, 80),
    );
    throw new McpError('invalidInput', text);
  }
  const input = isObject(params['arguments']) ? params['arguments'] : {};
  const request = { server: config, tool, input, caller: 'user' } as const;
  const approval = await approvals.request(request, neverAborted);
  if (approval.kind === 'denied') {
    if (approval.isRuled === true) {
      throw new McpError('denied', approval.why);
    }
    return;
  }
  const outcome = await withProgress(connection, name, (signal) =>
    expected({ name, arguments: approval.input }, () =>
      callTool(connection, checker(), {
        ...callServices(config),
        origin: fromUser,
        tool,
        input: approval.input,
        signal,
      }),
    ),
  );
  if (outcome.kind === 'invalidInput') {
    throw new McpError('invalidInput', outcome.problems.join(' '));
  }
}

function withProgress<T>(
  { config }: ServerConnection,
  what: string,
  send: (signal: AbortSignal) => Promise<T>,
): Thenable<T> {
  return cancellable(
    vscode.l10n.t('{0}: sending "{1}" again', oneLine(config.name, 60), oneLine(what, 80)),
    send,
  );
}
