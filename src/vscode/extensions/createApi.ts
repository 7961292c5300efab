/**
 * The API object of one extension: translates tokens of the editor and our results. Everything that goes out is a copy,
 * and everything that comes in is copied before anybody is asked about it. Decides nothing.
 */
import type * as vscode from 'vscode';
import type {
  McpCallOptions,
  McpContent,
  McpHostApi,
  McpServer,
  McpServerDefinitionProvider,
} from '../../../api/mcpHost.d.ts';
import { isForModels } from '../../host/toolApproval/toolClaims.ts';
import { isObject, isString } from '../../base/json.ts';
import type { ExtensionCalls } from '../../host/extensions/extensionCalls.ts';
import type { McpHost } from '../../host/servers/host.ts';
import type { Progress } from '../../mcp/session/session.ts';
import { McpError } from '../../mcp/errors.ts';
import type { ContentBlock } from '../../mcp/types/content.ts';
import { neverAborted, toSignal } from '../text/cancellation.ts';

export interface ApiParts {
  readonly calls: ExtensionCalls;
  readonly host: Pick<McpHost, 'servers'>;
  readonly listServers: () => readonly McpServer[];
  readonly onDidChangeServers: vscode.Event<void>;
  /** @throws McpError `denied` */
  readonly requireActive: () => void;
  readonly contribute: (provider: McpServerDefinitionProvider) => vscode.Disposable;
}

export function createApi(parts: ApiParts): McpHostApi {
  const { calls, host, requireActive } = parts;
  const items = <L extends 'tools' | 'prompts' | 'resources'>(serverId: string, kind: L) =>
    structuredClone(host.servers.get(serverId)?.catalog.items(kind) ?? []);
  const api: McpHostApi = {
    listServers: () => parts.listServers(),
    onDidChangeServers: parts.onDidChangeServers,
    listTools: (serverId) => items(serverId, 'tools').filter(isForModels),
    listPrompts: (serverId) => items(serverId, 'prompts'),
    listResources: (serverId) => items(serverId, 'resources'),
    callTool: async (serverId, tool, input, options) => {
      requireActive();
      const sent = copyOf(input, 'input');
      const onProgress = options?.onProgress;
      const outcome = await calls.callTool(text(serverId, 'serverId'), text(tool, 'tool'), sent, {
        signal: signalOf(options),
        ...(onProgress && {
          onProgress: ({ progress, total, message }: Progress) =>
            onProgress({ progress, total, message }),
        }),
      });
      const { content, structuredContent, isError } = outcome.result;
      return {
        content: content.map(toContent),
        ...(structuredContent !== undefined && {
          structuredContent: structuredClone(structuredContent),
        }),
        isError: isError === true,
        input: structuredClone(outcome.input),
        problems: outcome.outputProblems,
      };
    },
    readResource: async (serverId, uri, options) => {
      requireActive();
      const signal = signalOf(options);
      const found = await calls.readResource(text(serverId, 'serverId'), text(uri, 'uri'), signal);
      return structuredClone(found);
    },
    getPrompt: async (serverId, prompt, values = {}, options) => {
      requireActive();
      const { description, messages } = await calls.getPrompt(
        text(serverId, 'serverId'),
        text(prompt, 'prompt'),
        textsOf(values),
        signalOf(options),
      );
      return {
        ...(description !== undefined && { description }),
        messages: messages.map(({ role, content }) => ({ role, content: toContent(content) })),
      };
    },
    registerServerDefinitionProvider: (provider) => parts.contribute(provider),
  };
  return Object.freeze(api);
}

function toContent(block: ContentBlock): McpContent {
  return { ...structuredClone(block) };
}

function signalOf(options: McpCallOptions | undefined): AbortSignal {
  return options?.token === undefined ? neverAborted : toSignal(options.token);
}

function text(value: unknown, parameter: string): string {
  if (!isString(value)) {
    throw new McpError('invalidInput', `${parameter} must be a string`);
  }
  return value;
}

function textsOf(values: unknown): Readonly<Record<string, string>> {
  const entries = Object.entries(copyOf(values, 'values'));
  return Object.fromEntries(entries.map(([name, value]) => [name, text(value, `values.${name}`)]));
}

/** Copies it, so that the caller cannot change it after the user was asked. */
function copyOf(value: unknown, parameter: string): Readonly<Record<string, unknown>> {
  const copy: unknown = JSON.parse(JSON.stringify(value) ?? 'null');
  if (!isObject(copy)) {
    throw new McpError('invalidInput', `${parameter} must be an object`);
  }
  return copy;
}
