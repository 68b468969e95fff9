import { fork } from 'node:child_process';
import { once } from 'node:events';
import { Cancelled } from '../domain/maths/compute.js';

/** A process ended before it had said all; `isFull`: it took too much memory. */
export class EndedEarly extends Error {
  constructor(
    readonly isFull: boolean,
    why: string,
  ) {
    super(why);
  }
}

export type Telling<Order> = {
  readonly script: string;
  readonly order: Order;
  readonly memoryMb: number;
  readonly signal: AbortSignal;
  /** What it reads from its standard input. */
  readonly input?: Buffer;
  /** Takes what is called to tell the process that it may say more. */
  readonly asking?: (more: () => void) => void;
};

const KEPT_ERRORS = 8_192;

/**
 * What a process of its own says, one after the other; it ends with the one who listens. What is wrong with
 * its work ends that process alone. @throws EndedEarly, Cancelled
 */
export async function* saidBy<Order extends object, Said>({
  script,
  order,
  memoryMb,
  signal,
  input,
  asking,
}: Telling<Order>): AsyncGenerator<Said> {
  if (signal.aborted) throw new Cancelled();
  // An empty environment: the work needs none, and ours holds secrets
  const child = fork(script, {
    env: {},
    execArgv: [`--max-old-space-size=${memoryMb}`],
    serialization: 'advanced',
    stdio: [input ? 'pipe' : 'ignore', 'ignore', 'pipe', 'ipc'],
  });
  const said: Said[] = [];
  let errors = '';
  let end: Error | null = null;
  let wake = (): void => undefined;
  const ends = (why: Error): void => {
    end ??= why;
    wake();
  };
  const closed = once(child, 'close').catch(() => undefined);
  const abort = (): void => ends(new Cancelled());
  child.stderr!.on('data', (text: Buffer) => (errors = (errors + text.toString()).slice(-KEPT_ERRORS)));
  child.on('error', ends);
  child.on('close', (code, by) =>
    ends(new EndedEarly(errors.includes('out of memory'), `${by ?? `code ${code}`}: ${errors.trim()}`)),
  );
  child.on('message', (one: Said) => {
    said.push(one);
    wake();
  });
  signal.addEventListener('abort', abort);
  asking?.(() => child.send('more', () => undefined));
  // A process that ends early leaves some of it unread: how it ended says all there is to say
  child.stdin?.on('error', () => undefined).end(input);
  try {
    child.send(order, () => undefined);
    for (;;) {
      const next = said.shift();
      if (next) yield next;
      else if (end) throw end;
      else
        await new Promise<void>(resolve => {
          wake = resolve;
        });
    }
  } finally {
    signal.removeEventListener('abort', abort);
    child.kill('SIGKILL');
    await closed;
  }
}
