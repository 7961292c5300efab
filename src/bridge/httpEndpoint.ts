/**
 * Streamable HTTP for one served server: POST, GET and DELETE, and the sessions of its clients. loopbackBridge.ts has
 * admitted the request before.
 *
 * https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#streamable-http
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Disposable } from '../base/disposable.ts';
import { rpcCodes, RpcError } from '../mcp/errors.ts';
import {
  envelopeProblem,
  isRequest,
  type RequestId,
  type RpcMessage,
  type RpcRequest,
} from '../mcp/types/message.ts';
import { BridgeSession, type SessionParts } from './bridgeSession.ts';
import { EventStream } from './eventStream.ts';
import { randomWord } from './guard.ts';
import { isServed, servedRevisions } from './introduction.ts';
import { toErrorObject } from './requestForwarder.ts';

/** Sessions of one server. One more ends the session that has been silent for longest. */
export const maxSessions = 32;
/** The official SDKs answer an unknown session with this code. */
const sessionNotFound = -32001;

export class HttpEndpoint implements Disposable {
  readonly #parts: SessionParts;
  readonly #sessions = new Map<string, BridgeSession>();

  constructor(parts: SessionParts) {
    this.#parts = parts;
  }

  /** A client is connected. */
  get isInUse(): boolean {
    return [...this.#sessions.values()].some((session) => session.isInUse);
  }

  /** Always answers. Rejects only when the client disconnects while it sends. */
  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const revision = request.headers['mcp-protocol-version'];
    if (revision !== undefined && !isServed(revision)) {
      const known = servedRevisions.join(', ');
      refuse(
        response,
        400,
        rpcCodes.invalidRequest,
        `MCP-Protocol-Version must be one of ${known}`,
      );
      return;
    }
    const { method = '' } = request;
    switch (method) {
      case 'POST':
        await this.#post(request, response);
        break;
      case 'GET':
        this.#get(request, response);
        break;
      case 'DELETE':
        this.#delete(request, response);
        break;
      default:
        response.setHeader('allow', 'GET, POST, DELETE');
        end(response, 405);
    }
  }

  dispose(): void {
    for (const session of this.#sessions.values()) {
      session.dispose();
    }
    this.#sessions.clear();
  }

  async #post(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (!/^application\/json\s*(?:;|$)/iu.test(request.headers['content-type'] ?? '')) {
      end(response, 415);
      return;
    }
    if (!accepts(request, 'application/json') || !accepts(request, 'text/event-stream')) {
      refuse(
        response,
        406,
        rpcCodes.invalidRequest,
        'Accept application/json and text/event-stream',
      );
      return;
    }
    const bytes = await readBody(request);
    if (bytes === undefined) {
      end(response, 413);
      return;
    }
    let message: RpcMessage;
    try {
      message = parseMessage(bytes);
    } catch (error) {
      const { code, message: why } = toErrorObject(error);
      refuse(response, 400, code, why);
      return;
    }
    if (isRequest(message) && message.method === 'initialize') {
      this.#open(message, request, response);
      return;
    }
    const session = this.#find(request, response, isRequest(message) ? message.id : undefined);
    if (session === undefined) {
      return;
    }
    if (isRequest(message)) {
      void session.request(message, new EventStream(response));
      return;
    }
    if ('method' in message) {
      session.notification(message);
    }
    end(response, 202); // also for a response, to no request of ours
  }

  #open(initialize: RpcRequest, request: IncomingMessage, response: ServerResponse): void {
    if (request.headers['mcp-session-id'] !== undefined) {
      const text = '"initialize" opens a session';
      refuse(response, 400, rpcCodes.invalidRequest, text, initialize.id);
      return;
    }
    this.#makeRoom();
    const id = randomWord();
    const session = new BridgeSession(this.#parts);
    this.#sessions.set(id, session);
    response.setHeader('mcp-session-id', id);
    void session.request(initialize, new EventStream(response));
  }

  #get(request: IncomingMessage, response: ServerResponse): void {
    if (!accepts(request, 'text/event-stream')) {
      refuse(response, 406, rpcCodes.invalidRequest, 'Accept text/event-stream');
      return;
    }
    this.#find(request, response)?.open(new EventStream(response));
  }

  #delete(request: IncomingMessage, response: ServerResponse): void {
    if (this.#find(request, response) !== undefined) {
      this.#end(String(request.headers['mcp-session-id']));
      end(response, 204);
    }
  }

  /** The session that the request names; answers the request if there is none. */
  #find(
    request: IncomingMessage,
    response: ServerResponse,
    id?: RequestId,
  ): BridgeSession | undefined {
    const name = request.headers['mcp-session-id'];
    const session = typeof name === 'string' ? this.#sessions.get(name) : undefined;
    if (name === undefined) {
      refuse(response, 400, rpcCodes.invalidRequest, 'Mcp-Session-Id is missing', id);
    } else if (session === undefined) {
      refuse(response, 404, sessionNotFound, 'Session not found', id);
    }
    return session;
  }

  /** Ends the session that is idle, or silent, for longest, if there are too many. */
  #makeRoom(): void {
    const [longest] = [...this.#sessions].toSorted(
      ([, a], [, b]) => Number(b.isIdle) - Number(a.isIdle) || a.lastHeardAt - b.lastHeardAt,
    );
    if (longest !== undefined && this.#sessions.size >= maxSessions) {
      this.#end(longest[0]);
    }
  }

  #end(id: string): void {
    this.#sessions.get(id)?.dispose();
    this.#sessions.delete(id);
  }
}

function accepts({ headers }: IncomingMessage, type: string): boolean {
  const accepted = (headers.accept ?? '*/*').toLowerCase();
  const [family = ''] = type.split('/');
  return [type, `${family}/*`, '*/*'].some((range) => accepted.includes(range));
}

/** Sends only a status: a body could be a hint to an attacker. */
export function end(response: ServerResponse, status: number): void {
  response.writeHead(status, {
    ...(status === 204 ? {} : { 'content-length': 0 }),
    ...(status === 413 ? { connection: 'close' } : {}),
  });
  response.end();
}

function refuse(
  response: ServerResponse,
  status: number,
  code: number,
  message: string,
  id?: RequestId,
): void {
  const body = JSON.stringify({ jsonrpc: '2.0', id: id ?? null, error: { code, message } });
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
  });
  response.end(body);
}

/** Arguments of a tool may hold files in base64. */
export const maxBodyBytes = 32 * 1024 * 1024;

/**
 * Undefined when the body is larger than allowed; nothing beyond the limit is kept. Rejects when the client
 * disconnects.
 */
async function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  if (Number(request.headers['content-length'] ?? 0) > maxBodyBytes) {
    return undefined;
  }
  const chunks: Buffer[] = [];
  let size = 0;
  // The connection stays open for the refusal.
  const received: AsyncIterable<Buffer> = request.iterator({ destroyOnReturn: false });
  for await (const chunk of received) {
    size += chunk.length;
    if (size > maxBodyBytes) {
      return undefined;
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, size);
}

/** @throws RpcError -32700 for invalid JSON, -32600 for an invalid message */
function parseMessage(body: Buffer): RpcMessage {
  let value: unknown;
  try {
    value = JSON.parse(body.toString('utf8'));
  } catch {
    throw new RpcError(rpcCodes.parseError, 'The body is not JSON');
  }
  if (!isMessage(value)) {
    throw new RpcError(
      rpcCodes.invalidRequest,
      `Not a JSON-RPC message: ${envelopeProblem(value)}`,
    );
  }
  // Serializers that write every optional member send `"params": null` for none.
  return 'method' in value ? { ...value, params: value.params ?? {} } : value;
}

function isMessage(value: unknown): value is RpcMessage {
  return envelopeProblem(value) === undefined;
}
