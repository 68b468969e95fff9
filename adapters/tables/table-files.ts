import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { ReadingFailed, type RowsBatch, type TableFiles } from '../../commands/ingestion/table-files.js';
import { Cancelled, Overloaded } from '../../domain/maths/compute.js';
import type { Preview } from '../../domain/ingestion/imports/preview.js';
import { Rejected } from '../../domain/rejected.js';
import type { Order, Said } from './read-messages.js';
import { unreadable } from './limits.js';

const SCRIPT = fileURLToPath(new URL('./read-process.js', import.meta.url));
const MEMORY_MB = 512;
/** Previews at once, those that wait for their turn, and how long one may take. */
const PREVIEWS = 2;
const WAITING = 16;
const PREVIEW_WITHIN_MS = 120_000;

/** Reads files, each in a process of its own: what is wrong with one ends that process alone. */
export function tableFiles(): TableFiles {
  let underWay = 0;
  const waiting: (() => void)[] = [];
  return {
    async preview(file, asked, signal) {
      if (waiting.length >= WAITING) throw new Overloaded('Too many files are being read; try again soon');
      if (underWay < PREVIEWS) underWay++;
      else await new Promise<void>(begins => waiting.push(begins));
      try {
        return await previewed({ preview: file, asked }, signal);
      } finally {
        const next = waiting.shift();
        if (next) next();
        else underWay--;
      }
    },
    rows: (file, mapping, from, signal) => batches({ rows: file, mapping, from }, signal),
  };
}

async function previewed(order: Order, signal: AbortSignal): Promise<Preview> {
  const within = AbortSignal.any([signal, AbortSignal.timeout(PREVIEW_WITHIN_MS)]);
  for await (const said of told(order, within, () => undefined)) if ('preview' in said) return said.preview;
  throw new Error('a process that read a file said nothing');
}

async function* batches(order: Order, signal: AbortSignal): AsyncGenerator<RowsBatch> {
  let more = (): void => undefined;
  for await (const said of told(order, signal, ask => (more = ask))) {
    if ('ended' in said) return;
    if (!('batch' in said)) continue;
    yield said.batch;
    more();
  }
}

/** What a process says that reads a file; it ends with the one who listens. */
async function* told(
  order: Order,
  signal: AbortSignal,
  asking: (more: () => void) => void,
): AsyncGenerator<Said> {
  if (signal.aborted) throw new Cancelled();
  // An empty environment: the work needs none, and ours holds secrets
  const child = fork(SCRIPT, {
    env: {},
    execArgv: [`--max-old-space-size=${MEMORY_MB}`],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
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
  child.stderr!.on('data', (text: Buffer) => (errors = (errors + text.toString()).slice(-8_192)));
  child.on('error', ends);
  child.on('close', (code, by) => ends(causeOf(code, by, errors)));
  child.on('message', (one: Said) => {
    said.push(one);
    wake();
  });
  signal.addEventListener('abort', abort);
  asking(() => child.send('more' satisfies Order, () => undefined));
  try {
    child.send(order, () => undefined);
    for (;;) {
      const next = said.shift();
      if (next) yield heard(next);
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

function heard(said: Said): Said {
  if ('refused' in said) throw new Rejected(...said.refused);
  if ('failed' in said) throw new ReadingFailed(`a file could not be read: ${said.failed}`);
  return said;
}

function causeOf(code: number | null, signal: string | null, errors: string): Error {
  if (errors.includes('out of memory'))
    return unreadable('The file takes too much memory to read', 'file_too_complex');
  return new ReadingFailed(
    `a process that read a file ended (${signal ?? `code ${code}`}): ${errors.trim()}`,
  );
}
