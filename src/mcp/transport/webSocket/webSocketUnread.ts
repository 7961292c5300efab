/** What has come of a WebSocket message: the package ws keeps it until it is whole, and tells nobody. */
import type { Socket } from 'node:net';
import type { WebSocket } from 'ws';
import type { MemoryAccount } from '../../../base/memory.ts';
import { McpError } from '../../errors.ts';

/** @param onRefused is told when there is no room for more: the message cannot be passed over */
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
  // First of those who are told of a message: it is counted again where it goes.
  socket.prependListener('message', onRead);
  socket.on('close', onRead);
}
