/**
 * Streamable HTTP for one served server: POST, GET and DELETE, and the sessions of its clients. loopbackBridge.ts has
 * admitted the request before.
 *
 * https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#streamable-http
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Disposable } from '../base/disposable.ts';
import { rpcCodes } from '../mcp/errors.ts';
import {
  envelopeProblem,
  isRequest,
  type RequestId,
  type RpcMessage,
  type RpcRequest,
} from '../mcp/types/message.ts';
import { BridgeSession, type SessionParts } from './bridgeSession.ts';
import { EventStream, sendJson } from './eventStream.ts';
import { randomWord } from './guard.ts';
import { isServed, servedRevisions } from './introduction.ts';

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
    try {
      await this.#serve(request, response);
    } catch (error) {
      if (!(error instanceof Refusal)) {
        throw error;
      }
      refuse(response, error);
    }
  }

  dispose(): void {
    for (const session of this.#sessions.values()) {
      session.dispose();
    }
    this.#sessions.clear();
  }

  /** @throws Refusal */
  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const revision = request.headers['mcp-protocol-version'];
    if (revision !== undefined && !isServed(revision)) {
      throw new Refusal(400, `MCP-Protocol-Version must be one of ${servedRevisions.join(', ')}`);
    }
    const { method = '' } = request;
    switch (method) {
      case 'POST':
        await this.#post(request, response);
        break;
      case 'GET':
        if (!accepts(request, 'text/event-stream')) {
          throw new Refusal(406, 'Accept text/event-stream');
        }
        this.#find(request).open(new EventStream(response, 'push'));
        break;
      case 'DELETE':
        this.#find(request);
        this.#end(String(request.headers['mcp-session-id']));
        end(response, 204);
        break;
      default:
        response.setHeader('allow', 'GET, POST, DELETE');
        throw new Refusal(405);
    }
  }

  async #post(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (!/^application\/json\s*(?:;|$)/iu.test(request.headers['content-type'] ?? '')) {
      throw new Refusal(415);
    }
    if (!accepts(request, 'application/json') || !accepts(request, 'text/event-stream')) {
      throw new Refusal(406, 'Accept application/json and text/event-stream');
    }
    const message = parseMessage(await readBody(request));
    if (!isRequest(message)) {
      const session = this.#find(request);
      if ('method' in message) {
        session.notification(message);
      }
      end(response, 202); // also for a response, to no request of ours
    } else if (message.method === 'initialize') {
      this.#open(message, request, response);
    } else {
      void this.#find(request, message.id).request(message, new EventStream(response, 'reply'));
    }
  }

  #open(initialize: RpcRequest, request: IncomingMessage, response: ServerResponse): void {
    if (request.headers['mcp-session-id'] !== undefined) {
      throw new Refusal(400, '"initialize" opens a session', undefined, initialize.id);
    }
    this.#makeRoom();
    const id = randomWord();
    const session = new BridgeSession(this.#parts);
    this.#sessions.set(id, session);
    response.setHeader('mcp-session-id', id);
    const reply = new EventStream(response, 'reply');
    // A client that disconnects before the answer will never use the session.
    reply.onDidClose(() => response.writableEnded || this.#end(id));
    void session.request(initialize, reply);
  }

  /** The session that the request names. @throws Refusal */
  #find({ headers }: IncomingMessage, id?: RequestId): BridgeSession {
    const name = headers['mcp-session-id'];
    if (name === undefined) {
      throw new Refusal(400, 'Mcp-Session-Id is missing', undefined, id);
    }
    const session = this.#sessions.get(String(name));
    if (session === undefined) {
      throw new Refusal(404, 'Session not found', sessionNotFound, id);
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

/** Why a request is not served. */
class Refusal extends Error {
  readonly status: number;
  readonly code: number;
  readonly id: RequestId | null;

  /** @param message empty to send only the status */
  constructor(
    status: number,
    message = '',
    code: number = rpcCodes.invalidRequest,
    id: RequestId | null = null,
  ) {
    super(message);
    this.status = status;
    this.code = code;
    this.id = id;
  }
}

function refuse(response: ServerResponse, { status, message, code, id }: Refusal): void {
  if (message === '') {
    end(response, status);
    return;
  }
  sendJson(response, status, { jsonrpc: '2.0', id, error: { code, message } });
}

/** Sends only a status: a body could be a hint to an attacker. */
export function end(response: ServerResponse, status: number): void {
  response.writeHead(status, {
    ...(status === 204 ? {} : { 'content-length': 0 }),
    ...(status === 413 ? { connection: 'close' } : {}),
  });
  response.end();
}

/** Arguments of a tool may hold files in base64. */
export const maxBodyBytes = 32 * 1024 * 1024;

/** Keeps nothing beyond the limit. Rejects when the client disconnects. @throws Refusal 413 */
async function readBody(request: IncomingMessage): Promise<Buffer> {
  if (Number(request.headers['content-length'] ?? 0) > maxBodyBytes) {
    throw new Refusal(413);
  }
  const chunks: Buffer[] = [];
  let size = 0;
  // The connection stays open for the refusal.
  const received: AsyncIterable<Buffer> = request.iterator({ destroyOnReturn: false });
  for await (const chunk of received) {
    size += chunk.length;
    if (size > maxBodyBytes) {
      throw new Refusal(413);
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, size);
}

/** @throws Refusal with -32700 for invalid JSON, -32600 for an invalid message */
function parseMessage(body: Buffer): RpcMessage {
  let value: unknown;
  try {
    value = JSON.parse(body.toString('utf8'));
  } catch {
    throw new Refusal(400, 'The body is not JSON', rpcCodes.parseError);
  }
  if (!isMessage(value)) {
    throw new Refusal(400, `Not a JSON-RPC message: ${envelopeProblem(value)}`);
  }
  // Serializers that write every optional member send `"params": null` for none.
  return 'method' in value ? { ...value, params: value.params ?? {} } : value;
}

function isMessage(value: unknown): value is RpcMessage {
  return envelopeProblem(value) === undefined;
}
