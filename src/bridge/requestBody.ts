/** Reads the body of a request and parses its JSON-RPC messages, within limits. Answers nothing. */
import type { IncomingMessage } from 'node:http';
import { rpcCodes, RpcError } from '../mcp/errors.ts';
import { envelopeProblem, type RpcMessage } from '../mcp/types/message.ts';

/** Arguments of a tool may hold files in base64. */
export const maxBodyBytes = 32 * 1024 * 1024;
const maxBatch = 100;

export interface Body {
  readonly messages: readonly RpcMessage[];
  /** They came as an array (revision 2025-03-26). */
  readonly isBatch: boolean;
}

/**
 * Undefined when the body is larger than allowed; nothing beyond the limit is kept. Rejects when the client
 * disconnects.
 */
export async function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  if (Number(request.headers['content-length'] ?? 0) > maxBodyBytes) {
    return undefined;
  }
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > maxBodyBytes) {
        request.pause();
        chunks.length = 0;
        resolve(undefined);
      } else {
        chunks.push(chunk);
      }
    });
    request.once('end', () => resolve(Buffer.concat(chunks, size)));
    request.once('error', reject);
    request.once('close', () => reject(new Error('The client disconnected')));
  });
}

/** @throws RpcError -32700 for invalid JSON, -32600 for an invalid message */
export function parseBody(body: Buffer): Body {
  let value: unknown;
  try {
    value = JSON.parse(body.toString('utf8'));
  } catch {
    throw new RpcError(rpcCodes.parseError, 'The body is not JSON');
  }
  const isBatch = Array.isArray(value);
  const values: readonly unknown[] = Array.isArray(value) ? value : [value];
  if (values.length === 0 || values.length > maxBatch) {
    throw new RpcError(
      rpcCodes.invalidRequest,
      `A batch holds between one and ${maxBatch} messages`,
    );
  }
  return { messages: values.map(toMessage), isBatch };
}

function toMessage(value: unknown): RpcMessage {
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
