import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WebSocketServer, type WebSocket } from 'ws';

// Bare `ws` with as much of the protocol as the clients of `realtime.ts` speak: nothing is kept, and nobody
// is asked who they are. What is recorded is told at once.

const listeners = new Map<string, Set<WebSocket>>();
let recorded = 0;
const server = createServer(async (req, res) => {
  const [body] = (await req.toArray()) as Buffer[];
  const { key } = JSON.parse(String(body)) as { key: string };
  const event_id = `evt_${++recorded}`;
  const channel = `workspace:${req.headers['x-workspace-id']}`;
  const data = { event_id, key, status: 'pending', scheduled: false };
  const at = new Date().toISOString();
  const frame = JSON.stringify({ type: 'event', event: 'event.recorded', channel, data, at, seq: recorded });
  for (const socket of listeners.get(channel) ?? []) socket.send(frame);
  const text = JSON.stringify({ data: { event_id } });
  res.writeHead(200, { 'content-type': 'application/json', 'content-length': text.length }).end(text);
});
const sockets = new WebSocketServer({ server });
sockets.on('connection', socket => {
  socket.send('{"type":"welcome"}');
  socket.on('message', message => {
    const { type, channels } = JSON.parse(String(message)) as { type: string; channels: string[] };
    if (type !== 'subscribe') return;
    for (const channel of channels) {
      const those = listeners.get(channel) ?? new Set();
      listeners.set(channel, those.add(socket));
    }
    socket.send('{"type":"ack"}');
  });
});
server.listen(0, '127.0.0.1', () => {
  console.log(`listens on http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
