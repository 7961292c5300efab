/**
 * Hands out the API (api/mcpHost.d.ts), one object for each extension that asks. The caller's id is its own claim,
 * since extensions share one process. It can only be checked that this extension is installed, and is active when it
 * wants something.
 */
import * as vscode from 'vscode';
import type { McpCallOptions, McpContent, McpHostApi, McpServer } from '../../../api/mcpHost.d.ts';
import type { Event } from '../../base/event.ts';
import { isObject, isString } from '../../base/json.ts';
import type { Log } from '../../base/log.ts';
import type { ExtensionClaim } from '../../host/config/serverConfig.ts';
import { type AccessServices, ExtensionAccess } from '../../host/extensions/extensionAccess.ts';
import {
  ExtensionCalls,
  type ExtensionCallServices,
} from '../../host/extensions/extensionCalls.ts';
import type { ContributedServers } from '../../host/launch/contributedServers.ts';
import type { McpHost } from '../../host/servers/host.ts';
import { isForModels } from '../../host/apps/toolUi.ts';
import { McpError } from '../../mcp/errors.ts';
import type { Progress } from '../../mcp/session/session.ts';
import type { ContentBlock } from '../../mcp/types/content.ts';
import { extensionId } from '../ids.ts';
import { neverAborted, toSignal } from '../text/cancellation.ts';
import { oneLine } from '../text/labelText.ts';
import type { KeepFile } from '../text/wholeText.ts';
import { accessDialog } from './accessDialog.ts';
import { Contributors } from './contributors.ts';

export interface ExtensionApiServices
  extends
    Omit<ExtensionCallServices, 'servers' | 'access'>,
    Pick<AccessServices, 'questions' | 'memory' | 'globalMemory'> {
  readonly host: Pick<McpHost, 'servers'>;
  readonly contributed: ContributedServers;
  readonly listServers: () => readonly McpServer[];
  readonly onDidChange: Event<void>;
  readonly log: Log;
  readonly keepFile: KeepFile;
}

export interface ExtensionApis {
  readonly access: ExtensionAccess;
  /** @throws McpError for an unknown version, or an extension that is not installed */
  open(version: unknown, caller: unknown): McpHostApi;
  dispose(): void;
}

export function createExtensionApis(services: ExtensionApiServices): ExtensionApis {
  const { log, contributed, onDidChange } = services;
  const access = new ExtensionAccess({ ...services, prompt: accessDialog(services.keepFile) });
  const contributors = new Contributors(contributed, log);
  // An emitter of the editor: extensions may pass arguments that its events accept.
  const changed = new vscode.EventEmitter<void>();
  const subscription = onDidChange(() => changed.fire());
  return {
    access,
    open: (version, caller) => {
      if (version !== 1) {
        const text = `MCP Host has no API of the version ${String(version)}: ask for 1, or update MCP Host`;
        throw new McpError('unsupported', text);
      }
      const extension = claimOf(caller);
      log.info(`API opened for the extension ${extension.id}, as it names itself`);
      return createApi(
        extension,
        { ...services, access },
        {
          onDidChangeServers: changed.event,
          registerServerDefinitionProvider: (provider) => contributors.add(extension, provider),
        },
      );
    },
    dispose: () => {
      subscription.dispose();
      contributors.dispose();
      changed.dispose();
    },
  };
}

function claimOf(caller: unknown): ExtensionClaim {
  const id = isObject(caller) ? caller['id'] : caller;
  const found = isString(id) ? vscode.extensions.getExtension(id) : undefined;
  if (found === undefined || found.id.toLowerCase() === extensionId) {
    const given = isString(id) ? `"${oneLine(id, 100)}"` : 'what was given';
    const text = `MCP Host must know who calls, and ${given} is not another installed extension: pass context.extension.id`;
    throw new McpError('denied', text);
  }
  const manifest: unknown = found.packageJSON;
  const displayName = isObject(manifest) ? manifest['displayName'] : undefined;
  const name = isString(displayName) && displayName.trim() !== '' ? displayName : found.id;
  return { id: found.id.toLowerCase(), name: oneLine(name, 80) };
}

function mustBeActive({ id }: ExtensionClaim): void {
  if (vscode.extensions.getExtension(id)?.isActive !== true) {
    const text = `The extension ${id} is not active: it can use MCP servers once its activate() has returned`;
    throw new McpError('denied', text);
  }
}

function createApi(
  extension: ExtensionClaim,
  services: ExtensionApiServices & Pick<ExtensionCallServices, 'access'>,
  shared: Pick<McpHostApi, 'onDidChangeServers' | 'registerServerDefinitionProvider'>,
): McpHostApi {
  const { host, listServers } = services;
  const calls = new ExtensionCalls({ ...services, servers: () => host.servers }, extension);
  const items = <L extends 'tools' | 'prompts' | 'resources'>(serverId: string, kind: L) =>
    structuredClone(host.servers.get(serverId)?.catalog.items(kind) ?? []);
  const api: McpHostApi = {
    ...shared,
    listServers,
    listTools: (serverId) => items(serverId, 'tools').filter(isForModels),
    listPrompts: (serverId) => items(serverId, 'prompts'),
    listResources: (serverId) => items(serverId, 'resources'),
    callTool: async (serverId, tool, input, options) => {
      mustBeActive(extension);
      const sent = copyOf(input, 'input');
      const onProgress = options?.onProgress;
      const outcome = await calls.callTool(
        stringOf(serverId, 'serverId'),
        stringOf(tool, 'tool'),
        sent,
        {
          signal: signalOf(options),
          ...(onProgress && {
            onProgress: ({ progress, total, message }: Progress) =>
              onProgress({ progress, total, message }),
          }),
        },
      );
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
      mustBeActive(extension);
      const signal = signalOf(options);
      const found = await calls.readResource(
        stringOf(serverId, 'serverId'),
        stringOf(uri, 'uri'),
        signal,
      );
      return structuredClone(found);
    },
    getPrompt: async (serverId, prompt, values = {}, options) => {
      mustBeActive(extension);
      const { description, messages } = await calls.getPrompt(
        stringOf(serverId, 'serverId'),
        stringOf(prompt, 'prompt'),
        textsOf(values),
        signalOf(options),
      );
      return {
        ...(description !== undefined && { description }),
        messages: messages.map(({ role, content }) => ({ role, content: toContent(content) })),
      };
    },
  };
  return Object.freeze(api);
}

function toContent(block: ContentBlock): McpContent {
  return { ...structuredClone(block) };
}

function signalOf(options: McpCallOptions | undefined): AbortSignal {
  return options?.token === undefined ? neverAborted : toSignal(options.token);
}

function stringOf(value: unknown, parameter: string): string {
  if (!isString(value)) {
    throw new McpError('invalidInput', `${parameter} must be a string`);
  }
  return value;
}

function textsOf(values: unknown): Readonly<Record<string, string>> {
  const entries = Object.entries(copyOf(values, 'values'));
  return Object.fromEntries(
    entries.map(([name, value]) => [name, stringOf(value, `values.${name}`)]),
  );
}

/** Copies it, so that the caller cannot change it after the user was asked. */
function copyOf(value: unknown, parameter: string): Readonly<Record<string, unknown>> {
  const copy: unknown = JSON.parse(JSON.stringify(value) ?? 'null');
  if (!isObject(copy)) {
    throw new McpError('invalidInput', `${parameter} must be an object`);
  }
  return copy;
}
