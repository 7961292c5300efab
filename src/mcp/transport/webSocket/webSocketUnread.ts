/** Counts the received bytes of an incomplete WebSocket message, which the package ws keeps without reporting them. */
import type { Socket } from 'node:net';
import type { WebSocket } from 'ws';
import type { MemoryAccount } from '../../../base/memory.ts';
import { McpError } from '../../errors.ts';

/** @param onRefused called when there is no memory for more: the message cannot be skipped */
export function countUnread(
  socket: WebSocket,
  connection: Socket | undefined,
  memory: MemoryAccount | undefined,
  onRefused: (error: McpError) => void,
): void {
  if (memory === undefined) {
    return;
  }
  const held = memory.hold();
  let unread = 0;
  connection?.on('data', (chunk: Buffer) => {
    unread += chunk.length;
    if (!held.set(unread)) {
      onRefused(new McpError('closed', `a message ${memory.refusal}`));
    }
  });
  const onRead = (): void => {
    unread = 0;
    held.set(0);
  };
  // Runs before the other `message` listeners: the message is counted again where it goes.
  socket.prependListener('message', onRead);
  socket.on('close', onRead);
}
