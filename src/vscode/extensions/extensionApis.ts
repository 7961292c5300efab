/**
 * Hands out the API (api/mcpHost.d.ts), one object for each extension that asks. The caller's id is its own claim,
 * since extensions share one process. It can only be checked that this extension is installed, and is active when it
 * wants something.
 */
import type { ExtensionClaim } from '../../host/config/serverConfig.ts';
import * as vscode from 'vscode';
import type { McpHostApi, McpServer } from '../../../api/mcpHost.d.ts';
import type { Event } from '../../base/event.ts';
import { isObject, isString } from '../../base/json.ts';
import type { Log } from '../../base/log.ts';
import type { ContributedServers } from '../../host/launch/contributedServers.ts';
import { type AccessServices, ExtensionAccess } from '../../host/extensions/extensionAccess.ts';
import {
  type ExtensionCallServices,
  ExtensionCalls,
} from '../../host/extensions/extensionCalls.ts';
import type { McpHost } from '../../host/servers/host.ts';
import { McpError } from '../../mcp/errors.ts';
import { extensionId } from '../ids.ts';
import { oneLine } from '../text/text.ts';
import { accessDialog } from './accessDialog.ts';
import { Contributors } from './contributors.ts';
import { createApi } from './createApi.ts';
import type { KeepFile } from '../text/wholeText.ts';

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
  const { host, log, contributed, listServers, onDidChange } = services;
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
      const calls = new ExtensionCalls(
        { ...services, access, servers: () => host.servers },
        extension,
      );
      return createApi({
        calls,
        host,
        listServers,
        onDidChangeServers: changed.event,
        requireActive: () => requireActive(extension),
        contribute: (provider) => contributors.add(extension, provider),
      });
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

function requireActive({ id }: ExtensionClaim): void {
  if (vscode.extensions.getExtension(id)?.isActive !== true) {
    const text = `The extension ${id} is not active: it can use MCP servers once its activate() has returned`;
    throw new McpError('denied', text);
  }
}
