import { WebSocket } from 'ws';

// The clients of `realtime.ts`, in a process of their own: they listen, and note when they hear of what.

export type Client = { readonly token: string; readonly channels: readonly string[] };
export type Asked =
  | { readonly type: 'connect'; readonly port: number; readonly clients: readonly Client[] }
  /** One that says much and reads nothing. */
  | { readonly type: 'stick'; readonly port: number; readonly client: Client }
  | { readonly type: 'collect' };
/** Of each event when it was heard by each that listens, ms since the epoch; frames of all kinds. */
export type Heard = { readonly times: ReadonlyMap<string, readonly number[]>; readonly frames: number };
export type Said =
  | { readonly type: 'connected' }
  | ({ readonly type: 'heard'; readonly closed: number } & Heard);

const AT_ONCE = 50;
const PING_EVERY_MS = 20_000;
const RECORDED = /"event":"event\.recorded".*?"event_id":"([^"]+)"/;

const now = (): number => performance.timeOrigin + performance.now();
const tell = (said: Said): void => void process.send!(said);
let times = new Map<string, number[]>();
let frames = 0;
let closed = 0;

function opened(port: number, { token, channels }: Client): Promise<WebSocket> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/v1/ws`, {
    headers: { authorization: `Bearer ${token}` },
  });
  return new Promise((resolve, reject) => {
    socket.on('error', reject);
    socket.on('close', () => closed++);
    socket.on('message', data => {
      const text = String(data);
      const at = now();
      frames++;
      const event = RECORDED.exec(text)?.[1];
      if (event !== undefined) {
        const heard = times.get(event);
        if (heard) heard.push(at);
        else times.set(event, [at]);
      } else if (text.startsWith('{"type":"welcome"'))
        socket.send(JSON.stringify({ type: 'subscribe', channels, ref: 'all' }));
      else if (text.startsWith('{"type":"ack"')) resolve(socket);
    });
  });
}

async function connect(port: number, clients: readonly Client[]): Promise<void> {
  const waiting = [...clients];
  const all: WebSocket[] = [];
  const one = async (): Promise<void> => {
    for (let next = waiting.pop(); next; next = waiting.pop()) all.push(await opened(port, next));
  };
  await Promise.all(Array.from({ length: AT_ONCE }, one));
  setInterval(() => all.forEach(socket => socket.send('{"type":"ping"}')), PING_EVERY_MS).unref();
}

async function stick(port: number, client: Client): Promise<void> {
  const socket = await opened(port, client);
  socket.pause();
  const ping = JSON.stringify({ type: 'ping', ref: 'x'.repeat(200) });
  // As often as a connection may speak
  setInterval(() => socket.send(ping), 12);
}

process.on('message', async (asked: Asked) => {
  if (asked.type === 'collect') {
    tell({ type: 'heard', times, frames, closed });
    [times, frames] = [new Map(), 0];
    return;
  }
  if (asked.type === 'connect') await connect(asked.port, asked.clients);
  else await stick(asked.port, asked.client);
  tell({ type: 'connected' });
});
process.on('disconnect', () => process.exit());
