// The least that talks over a WebSocket, with the same frames of the package ws.
import { once } from 'node:events';
import { WebSocket } from 'ws';
import { RawClient } from './raw.mjs';

export async function connectWebSocket(url, era) {
  const socket = new WebSocket(url, 'mcp', { perMessageDeflate: false });
  const client = new RawClient((message) => socket.send(JSON.stringify(message)), era);
  socket.on(
    'message',
    /** @param {Buffer} data */ (data) => client.receive(JSON.parse(data.toString())),
  );
  await once(socket, 'open');
  await client.open();
  client.close = async () => {
    socket.close();
    await once(socket, 'close');
  };
  return client;
}
