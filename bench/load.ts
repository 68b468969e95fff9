import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

// A load generator that takes as little as it can of the cores it shares with the server: requests are bytes,
// of an answer only the status and the length are looked at.

export type Load = {
  readonly port: number;
  readonly connections: number;
  readonly seconds: number;
  /** Ends sooner, when there were so many answers. */
  readonly requests?: number;
  /** Ends sooner, when this says no. */
  readonly goesOn?: () => boolean;
  /** The next request, whole, as it goes over the wire. */
  readonly next: () => string;
};
/** `rate`: answers a second; latencies in ms. */
export type Loaded = {
  readonly rate: number;
  readonly count: number;
  readonly p50: number;
  readonly p99: number;
};

/** Keeps so many connections busy with one request each, for a while. Throws when an answer is not 200. */
export async function load(wanted: Load): Promise<Loaded> {
  const { port, connections, seconds, requests = Infinity, goesOn = () => true, next } = wanted;
  const latencies: number[] = [];
  const open = await Promise.all(Array.from({ length: connections }, () => opened(port)));
  const start = performance.now();
  const until = start + seconds * 1000;
  let sent = 0;
  await Promise.all(
    open.map(async connection => {
      while (performance.now() < until && goesOn() && sent++ < requests)
        latencies.push(await connection.send(next()));
      connection.close();
    }),
  );
  const elapsed = (performance.now() - start) / 1000;
  const sorted = Float64Array.from(latencies).sort();
  const at = (share: number) => sorted[Math.floor(share * sorted.length)] ?? NaN;
  return { rate: sorted.length / elapsed, count: sorted.length, p50: at(0.5), p99: at(0.99) };
}

/** One request after the other on one connection; the time of each in ms. */
export async function oneByOne(port: number, count: number, next: () => string): Promise<number[]> {
  const connection = await opened(port);
  const times: number[] = [];
  for (let i = 0; i < count; i++) times.push(await connection.send(next()));
  connection.close();
  return times;
}

async function opened(port: number): Promise<Connection> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  await once(socket, 'connect');
  return new Connection(socket);
}

class Connection {
  #head = '';
  #missing = -1;
  #start = 0;
  #answered: (ms: number) => void = () => {};
  #failed: (error: Error) => void = () => {};

  constructor(readonly socket: Socket) {
    socket.on('data', chunk => this.#take(chunk));
    socket.on('error', error => this.#failed(error));
    socket.on('close', () => this.#failed(new Error('the server closed the connection')));
  }

  /**
   * Sends a request and waits for the whole answer (it must have a Content-Length); how long that took, in
   * ms.
   */
  send(request: string): Promise<number> {
    this.#head = '';
    this.#missing = -1;
    this.#start = performance.now();
    this.socket.write(request);
    return new Promise((resolve, reject) => {
      this.#answered = resolve;
      this.#failed = reject;
    });
  }

  close(): void {
    this.socket.destroy();
  }

  #take(chunk: Buffer): void {
    if (this.#missing < 0) {
      this.#head += chunk.toString('latin1');
      const body = this.#head.indexOf('\r\n\r\n') + 4;
      if (body < 4) return;
      if (!this.#head.startsWith('HTTP/1.1 200')) {
        this.#failed(new Error(`refused: ${this.#head}`));
        return;
      }
      this.#missing = Number(/content-length: (\d+)/i.exec(this.#head)![1]) - (this.#head.length - body);
    } else this.#missing -= chunk.length;
    if (this.#missing === 0) this.#answered(performance.now() - this.#start);
  }
}

/** A request as it goes over the wire. */
export function requestOf(
  method: string,
  path: string,
  headers: Readonly<Record<string, string>>,
  body = '',
): string {
  const all = Object.entries({
    ...headers,
    ...(body !== '' && { 'content-length': String(Buffer.byteLength(body)) }),
  });
  const lines = all.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  return `${method} ${path} HTTP/1.1\r\nhost: localhost\r\n${lines}\r\n${body}`;
}
