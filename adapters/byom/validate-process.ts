import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { Worker } from 'node:worker_threads';
import type { ByomFound } from '../../commands/byom/validating.js';
import { fittingOf } from '../../domain/byom/fitting.js';
import { forbiddenIn } from '../../domain/byom/operators.js';
import type { CheckName } from '../../domain/byom/report.js';
import { stepBack } from '../compute/step-back.js';
import { tryOut } from './checks.js';
import { parsed } from './formats.js';
import type { Order, RunCheck, Said } from './messages.js';
import { runtime } from './network.js';

/** A process of its own, which looks at one model: `validate-process.js <memory in MB> <parent>`. */
const [memoryMb = '', parent = ''] = process.argv.slice(2);

const say = (said: Said): Promise<void> => new Promise(resolve => process.send!(said, () => resolve()));
const done = (said: Pick<ByomFound, 'as' | 'sample' | 'runtime' | 'network'>): Promise<void> =>
  say({ type: 'done', ...said });

/** The model will not do. */
class Wrong extends Error {}

const check: RunCheck = async (name, work) => {
  await say({ type: 'begins', name });
  const began = performance.now();
  const tell = (status: 'passed' | 'failed' | 'warning' | 'skipped', message: string): Promise<void> =>
    say({
      type: 'check',
      check: { name, status, message: plain(message), tookMs: Math.round(performance.now() - began) },
    });
  let result: Awaited<ReturnType<typeof work>>;
  try {
    result = await work();
  } catch (error) {
    // Where files lie is nothing to people
    const isOfSystem = (error as NodeJS.ErrnoException).syscall !== undefined;
    await tell('failed', isOfSystem ? 'the file cannot be read on the server' : (error as Error).message);
    throw new Wrong(name);
  }
  const [value, found] = result;
  await (typeof found === 'string' ? tell('passed', found) : tell(found.status, found.message));
  return value;
};

/** On one line and short, whatever names a file has, without what terminals take for more than text. */
const plain = (message: string): string => message.replace(/\p{C}+/gu, ' ').slice(0, 500);

const passed = (name: CheckName, work: () => Promise<string> | string): Promise<null> =>
  check(name, async () => [null, await work()]);

async function validate(order: Order): Promise<void> {
  await passed('checksum', async () => {
    const hash = createHash('sha256');
    await pipeline(createReadStream(order.path), hash);
    const sha256 = hash.digest('hex');
    if (sha256 !== order.sha256) throw new Error(`the file has sha256 ${sha256} now`);
    return sha256;
  });
  const file = await check('format_parses', () => {
    const found = parsed(order);
    return [found, found.message];
  });
  if ('missing' in file) {
    await check('forward_pass', () => [null, { status: 'skipped', message: file.missing }]);
    return done({ as: 'unsupported', sample: null, runtime: null, network: null });
  }
  await passed('no_forbidden_ops', () => {
    const found = forbiddenIn(file.structure);
    if (found.length > 0) throw new Error(found.slice(0, 10).join('; '));
    return 'operators of ONNX alone';
  });
  await check('signature_matches', () => {
    const { faults, oddities } = fittingOf(order.signature, file.structure);
    if (faults.length > 0) throw new Error(faults.join('; '));
    if (oddities.length > 0) return [null, { status: 'warning', message: oddities.join('; ') }];
    return [null, 'one input and one output of the types that are said'];
  });
  const sample = await tryOut(check, file.network, order);
  return done({ as: 'validated', sample, runtime: runtime(), network: file.network });
}

process.on('disconnect', () => process.exit());
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
new Worker(new URL('../compute/watch.js', import.meta.url), {
  workerData: { limitBytes: Number(memoryMb) * 1_048_576, parent: Number(parent) },
});
stepBack(); // after the watch has begun, which keeps its priority
process.once('message', (order: Order) => {
  void validate(order)
    .catch(async (error: unknown) => {
      if (!(error instanceof Wrong)) throw error;
      await done({ as: 'rejected', sample: null, runtime: runtime(), network: null });
    })
    .then(() => process.disconnect());
});
