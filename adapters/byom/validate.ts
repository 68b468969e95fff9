import { fork } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ByomFound, ValidateByom } from '../../commands/byom/validating.js';
import { hasFailed, type Check, type CheckName } from '../../domain/byom/report.js';
import { Cancelled } from '../../domain/maths/compute.js';
import type { Order, Said } from './messages.js';

export type Bounds = { readonly memoryMb: number; readonly withinMs: number };

const SCRIPT = fileURLToPath(new URL('./validate-process.js', import.meta.url));
const KEPT_ERRORS = 8_192;
/** Of JavaScript's own memory; the network lies beside it. */
const HEAP_MB = 1_024;

/** A file that crashes the process that looks at it, fills it, or never ends, ends that one alone. */
export const byomValidation =
  (bounds: Bounds): ValidateByom =>
  async (path, asked, signal, work) => {
    const folder = await mkdtemp(join(tmpdir(), `presage-byom-${process.pid}-`));
    try {
      return await work(
        await found({ ...asked, path, made: join(folder, 'made.onnx') }, folder, bounds, signal),
      );
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  };

function found(
  order: Order,
  folder: string,
  { memoryMb, withinMs }: Bounds,
  signal: AbortSignal,
): Promise<ByomFound> {
  if (signal.aborted) return Promise.reject(new Cancelled());
  // An empty environment and an empty folder: a file of somebody's finds nothing here
  const child = fork(SCRIPT, [String(memoryMb), String(process.pid)], {
    env: {},
    cwd: folder,
    execArgv: [`--max-old-space-size=${Math.min(memoryMb, HEAP_MB)}`],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  const checks: Check[] = [];
  let begun: CheckName = 'checksum';
  let isLate = false;
  let errors = '';
  let done: Extract<Said, { type: 'done' }> | null = null;
  const timer = setTimeout(() => {
    isLate = true;
    child.kill('SIGKILL');
  }, withinMs);
  const cancel = (): void => void child.kill('SIGKILL');
  signal.addEventListener('abort', cancel);
  child.stderr!.on('data', (text: Buffer) => (errors = (errors + text.toString()).slice(-KEPT_ERRORS)));
  child.on('message', (said: Said) => {
    if (said.type === 'begins') begun = said.name;
    else if (said.type === 'check') checks.push(said.check);
    else done = said;
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.once('close', (code, killed) => {
      clearTimeout(timer);
      signal.removeEventListener('abort', cancel);
      if (done) return resolve({ ...done, checks });
      if (signal.aborted) return reject(new Cancelled());
      const isFull = killed === 'SIGKILL' || /out of memory|bad_alloc/.test(errors);
      const own = `it ended the process that tried it (${killed ?? `code ${code}`})`;
      const full = isFull ? `it takes more than ${memoryMb} MB of memory` : own;
      const message = isLate ? `it takes longer than ${withinMs / 1000} s` : full;
      const ended: Check = { name: begun, status: 'failed', message, tookMs: 0 };
      const all = hasFailed(checks) ? checks : [...checks.filter(({ name }) => name !== begun), ended];
      resolve({ as: 'rejected', checks: all, sample: null, runtime: null, network: null });
    });
    child.send(order, () => undefined);
  });
}
