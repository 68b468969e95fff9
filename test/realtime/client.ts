import { WebSocket, type ClientOptions } from 'ws';
import { until } from '../platform.js';

export type Received = Readonly<Record<string, unknown>> & { readonly type: string };
export type Told = Received & {
  readonly event: string;
  readonly channel: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly seq: number;
  readonly at: string;
};
export type Closed = { readonly code: number; readonly reason: string };
type Connecting = ClientOptions & { readonly token?: string; readonly protocols?: readonly string[] };

export type RealtimeClient = Awaited<ReturnType<typeof connect>>;

/** A client of the gateway at an HTTP address; rejects where the handshake is refused. */
export async function connect(base: string, { token, protocols = [], ...options }: Connecting = {}) {
  const socket = new WebSocket(`${base.replace('http', 'ws')}/v1/ws`, [...protocols], {
    ...options,
    headers: { ...options.headers, ...(token !== undefined && { authorization: `Bearer ${token}` }) },
  });
  const frames: Received[] = [];
  socket.on('message', data => frames.push(JSON.parse(String(data)) as Received));
  let closed: Closed | undefined;
  socket.on('close', (code, reason) => {
    closed = { code, reason: String(reason) };
  });
  await new Promise<void>((resolve, reject) => {
    socket.once('open', resolve).once('error', reject);
  });
  socket.on('error', () => undefined);
  let refs = 0;
  const find = <F extends Received>(wanted: (frame: F) => boolean, what: string) =>
    until(async () => (frames as readonly Received[] as readonly F[]).find(wanted), what);
  const ask = (frame: object): Promise<Received> => {
    const ref = String(++refs);
    socket.send(JSON.stringify({ ...frame, ref }));
    return find(each => each['ref'] === ref, `an answer to ${JSON.stringify(frame)}`);
  };
  return {
    socket,
    /** All that came. */
    frames: frames as readonly Received[],
    told: () => frames.filter(({ type }) => type === 'event') as unknown as readonly Told[],
    welcome: () => find(({ type }) => type === 'welcome', 'welcome'),
    /** The first event that is so. */
    event: (wanted: (told: Told) => boolean, what = 'an event') =>
      find<Told>(frame => frame.type === 'event' && wanted(frame), what),
    error: (code: string) => find(frame => frame['code'] === code, `the error ${code}`),
    /** Sends a frame with a `ref`, and waits for the answer to it. */
    ask,
    subscribe: (...channels: string[]) => ask({ type: 'subscribe', channels }),
    send: (frame: unknown) => socket.send(typeof frame === 'string' ? frame : JSON.stringify(frame)),
    closed: () => until(async () => closed, 'the end of the connection'),
    isOpen: () => closed === undefined,
    async end() {
      socket.terminate();
      await until(async () => closed, 'the end of the connection');
    },
  };
}
