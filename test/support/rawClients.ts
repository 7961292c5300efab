/**
 * The official SDK clients, with an ear on their channels: what comes is kept as it came, before the
 * SDK reads it. One shape for both, so that one script of requests runs on each.
 */
import {
  Client as Client2,
  StreamableHTTPClientTransport as HttpTransport2,
} from '@modelcontextprotocol/client';
import { StdioClientTransport as StdioTransport2 } from '@modelcontextprotocol/client/stdio';
import { Client as Client1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as StdioTransport1 } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as HttpTransport1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { isObject, type JsonObject } from '../../src/base/json.ts';
import type { BridgeEndpoint } from '../../src/host/editorChat/definitions.ts';

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

type Target = Program | BridgeEndpoint;

export async function connect1(target: Target): Promise<RawClient> {
  const client = new Client1(info);
  const channel =
    'url' in target
      ? new HttpTransport1(new URL(target.url), { requestInit: { headers: target.headers } })
      : new StdioTransport1({ ...target, args: [...target.args], stderr: 'ignore' });
  await client.connect(channel);
  return rawClient(client, channel, (method, params, options) =>
    client.request({ method, params }, ResultSchema, options),
  );
}

export async function connect2(target: Target): Promise<RawClient> {
  const client = new Client2(info);
  const channel =
    'url' in target
      ? new HttpTransport2(new URL(target.url), { requestInit: { headers: target.headers } })
      : new StdioTransport2({ ...target, args: [...target.args], stderr: 'ignore' });
  await client.connect(channel);
  return rawClient(client, channel, (method, params, options) =>
    client.request({ method, params }, ResultSchema, options),
  );
}

interface Options {
  readonly onprogress?: () => void;
  readonly signal: AbortSignal | undefined;
}

/** What both of them have. */
interface SdkClient {
  getServerCapabilities(): unknown;
  getInstructions(): unknown;
  getServerVersion(): unknown;
  close(): Promise<void>;
}

function rawClient(
  client: SdkClient,
  channel: ConstructorParameters<typeof Ear>[0],
  request: (method: string, params: JsonObject, options: Options) => Promise<unknown>,
): RawClient {
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
      await request(method, { ...params }, options).catch((error: unknown) => (failure = error));
      return ear.answerTo(ear.sent[place], failure);
    },
    close: () => endSession(client, channel),
  };
}

async function endSession(client: { close(): Promise<void> }, channel: object): Promise<void> {
  if ('terminateSession' in channel && typeof channel.terminateSession === 'function') {
    await channel.terminateSession();
  }
  await client.close();
}
