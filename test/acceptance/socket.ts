import { once } from 'node:events';
import { WebSocket } from 'ws';
import type { Json } from '../json.js';
import { until } from '../platform.js';

// A client of `/v1/ws` as anybody would write one: it keeps every frame that came.

type Closed = { readonly code: number; readonly reason: string };
export type Socket = {
  readonly frames: readonly Json[];
  /** The subprotocol that the server chose, or ''. */
  readonly protocol: string;
  /** Sends a frame, or text that is none. */
  send(frame: object | string): void;
  /** Sends a frame under a `ref` of its own, and waits for the answer to it. */
  ask(frame: object): Promise<Json>;
  /** Subscribes, and answers the acknowledgement. */
  subscribe(...channels: string[]): Promise<Json>;
  /** Waits for an event frame that fits. */
  heard(event: string, fits?: (frame: Json) => boolean): Promise<Json>;
  /** Event frames of a name that came until now. */
  events(name?: string): Json[];
  /** Waits for the end, and says how it came. */
  closed(): Promise<Closed>;
  /** A pong after which everything that was sent before it is there. */
  settled(): Promise<void>;
  close(): void;
};

type Door = {
  readonly headers?: Readonly<Record<string, string>>;
  readonly protocols?: readonly string[];
  readonly path?: string;
};

/** Opens a connection; throws where the answer is not 101. */
export async function open(base: string, { headers = {}, protocols = [], path }: Door = {}): Promise<Socket> {
  const socket = new WebSocket(base.replace(/^http/, 'ws') + (path ?? '/v1/ws'), [...protocols], { headers });
  const frames: Json[] = [];
  let end: Closed | null = null;
  socket.on('message', data => frames.push(JSON.parse(String(data))));
  socket.on('close', (code, reason) => {
    end = { code, reason: String(reason) };
  });
  await once(socket, 'open');
  socket.on('error', () => undefined);
  let refs = 0;
  const answered = (ref: string) =>
    until(async () => {
      const found = frames.find(frame => frame.ref === ref);
      if (!found && end) throw new Error(`closed with ${end.code} before the answer to ${ref}`);
      return found;
    }, `the answer to ${ref}`);
  const send = (frame: object | string) =>
    socket.send(typeof frame === 'string' ? frame : JSON.stringify(frame));
  const ask = (frame: object) => {
    const ref = `r${++refs}`;
    send({ ...frame, ref });
    return answered(ref);
  };
  const events = (name?: string) =>
    frames.filter(frame => frame.type === 'event' && (name === undefined || frame.event === name));
  return {
    frames,
    get protocol() {
      return socket.protocol;
    },
    send,
    ask,
    subscribe: (...channels) => ask({ type: 'subscribe', channels }),
    heard: (event, fits = () => true) =>
      until(async () => events(event).find(fits), `${event} among ${events().map(frame => frame.event)}`),
    events,
    closed: () => until(async () => end, 'the end of the connection'),
    async settled() {
      await ask({ type: 'ping' });
    },
    close: () => socket.terminate(),
  };
}

/** The first frame of a connection. */
export const first = (socket: Socket): Promise<Json> =>
  until(async () => socket.frames[0], 'the first frame');

/** A connection of somebody who may connect, after its welcome. */
export async function connect(base: string, token: string): Promise<Socket> {
  const socket = await open(base, { headers: { authorization: `Bearer ${token}` } });
  const welcome = await first(socket);
  if (welcome.type !== 'welcome') throw new Error(`no welcome: ${JSON.stringify(welcome)}`);
  return socket;
}
