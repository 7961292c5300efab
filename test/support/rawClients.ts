/** The official SDK client, with an ear on its channel: what comes is kept as it came, before the SDK reads it. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { ResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { isObject, type JsonObject } from '../../src/base/json.ts';
import type { BridgeEndpoint } from '../../src/host/editorChat/editorChat.ts';

export interface Program {
  readonly command: string;
  readonly args: readonly string[];
}

export interface CallChoice {
  readonly wantsProgress?: boolean;
  readonly signal?: AbortSignal;
}

export interface RawClient {
  /** Since the handshake, oldest first, without `jsonrpc`. Requests of the server, too: they have an `id`. */
  readonly notifications: readonly JsonObject[];
  readonly capabilities: unknown;
  readonly instructions: unknown;
  readonly serverInfo: unknown;
  /** `{ result }` or `{ error }` as it came; what the client itself threw when nothing came. */
  call(method: string, params?: JsonObject, choice?: CallChoice): Promise<JsonObject>;
  close(): Promise<void>;
}

const info = { name: 'raw', version: '1.0.0' };

interface Channel {
  onmessage?: ((message: never, ...more: never[]) => void) | undefined;
}

/** Keeps what comes on the channel and passes it on. */
class Ear {
  readonly notifications: JsonObject[] = [];
  readonly responses = new Map<unknown, JsonObject>();
  readonly sent: unknown[] = [];

  constructor(channel: Channel & { send(message: never, ...more: never[]): Promise<void> }) {
    const receive = channel.onmessage?.bind(channel);
    // oxlint-disable-next-line unicorn/prefer-add-event-listener -- the SDK's channel has no other
    channel.onmessage = (message: never, ...more: never[]) => {
      this.#hear(message);
      receive?.(message, ...more);
    };
    const send = channel.send.bind(channel);
    channel.send = (message: never, ...more: never[]) => {
      this.sent.push(Reflect.get(message, 'id'));
      return send(message, ...more);
    };
  }

  /** What came for the request with this id. */
  answerTo(id: unknown, failure: unknown): JsonObject {
    const { id: _id, ...answer } = this.responses.get(id) ?? { thrown: String(failure) };
    return answer;
  }

  #hear(message: unknown): void {
    if (!isObject(message)) {
      return;
    }
    const { jsonrpc: _version, ...rest } = message;
    if ('method' in rest) {
      this.notifications.push(rest);
    } else {
      this.responses.set(rest['id'], rest);
    }
  }
}

export async function connectRaw(target: Program | BridgeEndpoint): Promise<RawClient> {
  const client = new Client(info);
  const channel =
    'url' in target
      ? new StreamableHTTPClientTransport(new URL(target.url), {
          requestInit: { headers: target.headers },
        })
      : new StdioClientTransport({ ...target, args: [...target.args], stderr: 'ignore' });
  await client.connect(channel);
  const ear = new Ear(channel);
  return {
    notifications: ear.notifications,
    capabilities: client.getServerCapabilities(),
    instructions: client.getInstructions(),
    serverInfo: client.getServerVersion(),
    call: async (method, params = {}, { wantsProgress = false, signal } = {}) => {
      const place = ear.sent.length;
      let failure: unknown;
      const options = { ...(wantsProgress && { onprogress: () => undefined }), signal };
      await client
        .request({ method, params: { ...params } }, ResultSchema, options)
        .catch((error: unknown) => (failure = error));
      return ear.answerTo(ear.sent[place], failure);
    },
    close: async () => {
      if ('terminateSession' in channel) {
        await channel.terminateSession();
      }
      await client.close();
    },
  };
}
