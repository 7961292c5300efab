/** An answer about a tool that counts for longer: what it counts for, and how it is read from a memory. */
import { isString, type JsonObject } from '../../base/json.ts';
import type { RememberedScope, ServerId } from '../config/serverConfig.ts';
import { isDefinition, type ToolDefinition } from './toolDefinition.ts';

/** A remembered answer. */
export interface Approval {
  readonly serverId: ServerId;
  /** For display, as it was when the user answered. */
  readonly serverName: string;
  readonly toolLabel: string;
  readonly tool: string;
  /** The id of the extension that the answer counts for. */
  readonly extension?: string;
  /** It counts for the server's MCP apps. Without either, it counts for models. */
  readonly app?: true;
  readonly scope: RememberedScope;
  /** Tool and server at the time of the answer: after a change the user is asked again. */
  readonly definition: ToolDefinition;
  /** The definition as text, to show differences later; absent when it was too long. */
  readonly text?: string;
}

/** What an answer counts for. */
export type Subject = Pick<Approval, 'serverId' | 'tool' | 'extension' | 'app'>;

export function keyOf({ serverId, tool, extension, app }: Subject): string {
  return JSON.stringify([serverId, tool, extension, app]);
}

/** Undefined for what is no stored answer. */
export function toApproval(stored: JsonObject, scope: RememberedScope): Approval | undefined {
  const { serverId, serverName, toolLabel, tool, extension, definition, text } = stored;
  return isString(serverId) &&
    isString(serverName) &&
    isString(toolLabel) &&
    isString(tool) &&
    isDefinition(definition)
    ? {
        serverId,
        serverName,
        toolLabel,
        tool,
        ...(isString(extension) && { extension }),
        scope,
        definition,
        ...(isString(text) && { text }),
      }
    : undefined;
}
