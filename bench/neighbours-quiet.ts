import { Agent, request } from 'node:http';

/** Who waited so long counts as refused. */
const GIVEN_UP_MS = 30_000;

type Kind = 'me' | 'record' | 'push';

/** A workspace that asks who it is, records an event and pushes a point, by default once a second each. */
export class Quiet {
  readonly #agent = new Agent({ keepAlive: true });
  readonly #times: Record<Kind, number[]> = { me: [], record: [], push: [] };
  #refused = 0;

  constructor(
    readonly port: number,
    readonly token: string,
    readonly workspaceId: string,
    /** Between two calls, and up to two thirds longer. */
    readonly pauseMs = 250,
  ) {}

  /** Asks for so many seconds; resolves when all is answered. */
  async run(seconds: number): Promise<void> {
    const asked: Promise<void>[] = [];
    const kinds: readonly Kind[] = ['me', 'record', 'push'];
    const until = performance.now() + seconds * 1_000;
    for (let n = 0; performance.now() < until; n++) {
      asked.push(this.#ask(kinds[n % 3]!, n));
      // Not in step with anything
      await new Promise(resolve => setTimeout(resolve, this.pauseMs * (1 + Math.random() * 0.66)));
    }
    await Promise.all(asked);
    this.#agent.destroy();
  }

  /** For a table: p50, p99 and most of each kind, and how many were refused. */
  cells(): string[] {
    const { me, record, push } = this.#times;
    return [...[me, record, push].map(spread), String(this.#refused)];
  }

  #ask(kind: Kind, n: number): Promise<void> {
    const { method, path, body } = askedOf(kind, n);
    const headers = {
      authorization: `Bearer ${this.token}`,
      'x-workspace-id': this.workspaceId,
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
    };
    const began = performance.now();
    return new Promise(resolve => {
      const done = (fine: boolean): void => {
        if (fine) this.#times[kind].push(performance.now() - began);
        else this.#refused++;
        resolve();
      };
      const sent = request(
        { port: this.port, host: '127.0.0.1', agent: this.#agent, method, path, headers },
        answer => {
          answer.resume().on('error', () => done(false));
          answer.on('end', () => done(answer.statusCode === 200));
        },
      );
      sent.on('error', () => done(false));
      sent.setTimeout(GIVEN_UP_MS, () => sent.destroy());
      sent.end(body);
    });
  }
}

function askedOf(kind: Kind, n: number): { method: string; path: string; body: string } {
  if (kind === 'me') return { method: 'GET', path: '/v1/user/me', body: '' };
  if (kind === 'record') {
    const body = JSON.stringify({ key: 'quiet', text: `Pump ${n} stopped in the night of ${Date.now()}` });
    return { method: 'POST', path: '/v1/event/record', body };
  }
  const body = JSON.stringify({ key: 'quiet.pump', value: n });
  return { method: 'POST', path: '/v1/signal/push', body };
}

function spread(times: number[]): string {
  const sorted = times.sort((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? NaN;
  return [at(0.5), at(0.99), sorted.at(-1) ?? NaN].map(ms => ms.toFixed(ms < 10 ? 1 : 0)).join(' / ');
}
