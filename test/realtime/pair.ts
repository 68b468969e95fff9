import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { WebSocket, WebSocketServer } from 'ws';

/** A client and the socket that a server has of it. */
export async function pair() {
  const server = new WebSocketServer({ port: 0 });
  const { port } = server.address() as AddressInfo;
  const client = new WebSocket(`ws://127.0.0.1:${port}`);
  const opened = once(client, 'open');
  const [socket] = (await once(server, 'connection')) as [WebSocket];
  await opened;
  return {
    client,
    socket,
    close() {
      client.terminate();
      server.close();
    },
  };
}
