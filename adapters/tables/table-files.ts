import { fileURLToPath } from 'node:url';
import { ReadingFailed, type RowsBatch, type TableFiles } from '../../commands/ingestion/table-files.js';
import { Cancelled, Overloaded } from '../../domain/maths/compute.js';
import type { Preview } from '../../domain/ingestion/imports/preview.js';
import { Rejected } from '../../domain/rejected.js';
import { Lanes } from '../compute/lanes.js';
import { EndedEarly, saidBy } from '../said-by.js';
import type { Order, Said } from './read-messages.js';
import { unreadable } from './limits.js';

const SCRIPT = fileURLToPath(new URL('./read-process.js', import.meta.url));
const MEMORY_MB = 512;
/** Previews at once, those of a workspace that wait for their turn, and how long one may take. */
const PREVIEWS = 2;
const WAITING = 16;
const PREVIEW_WITHIN_MS = 120_000;

/** Reads files, each in a process of its own: what is wrong with one ends that process alone. */
export function tableFiles(): TableFiles {
  const turn = turns();
  return {
    async preview(file, asked, workspace, signal) {
      const end = await turn(workspace, signal);
      try {
        return await previewed({ preview: file, asked }, signal);
      } finally {
        end();
      }
    },
    rows: (file, mapping, rows, signal) => batches({ rows: file, mapping, ...rows }, signal),
  };
}

type Waiting = { readonly workspace: string; readonly begin: () => void };

/**
 * Turns of workspaces: one that has fewer previews under way comes first. What is answered ends the turn.
 * @throws Overloaded where many of the workspace wait; Cancelled
 */
function turns() {
  const waiting = new Lanes<Waiting>();
  const underWay: string[] = [];
  const fill = (): void => {
    while (underWay.length < PREVIEWS) {
      const next = waiting.next(lane => underWay.filter(each => each === lane).length);
      if (!next) return;
      underWay.push(next.workspace);
      next.begin();
    }
  };
  return async (workspace: string, signal: AbortSignal): Promise<() => void> => {
    if (signal.aborted) throw new Cancelled();
    if (waiting.sizeOf(workspace) >= WAITING)
      throw new Overloaded('Too many files are being read; try again soon');
    await new Promise<void>((resolve, reject) => {
      const leave = (): void => {
        waiting.remove(workspace, mine);
        reject(new Cancelled());
      };
      const begin = (): void => {
        signal.removeEventListener('abort', leave);
        resolve();
      };
      const mine = { workspace, begin };
      signal.addEventListener('abort', leave, { once: true });
      waiting.add(workspace, mine);
      fill();
    });
    return () => {
      underWay.splice(underWay.indexOf(workspace), 1);
      fill();
    };
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
  try {
    const telling = { script: SCRIPT, order, memoryMb: MEMORY_MB, signal, asking };
    for await (const said of saidBy<Order, Said>(telling)) yield heard(said);
  } catch (error) {
    throw error instanceof EndedEarly ? causeOf(error) : error;
  }
}

function heard(said: Said): Said {
  if ('refused' in said) throw new Rejected(...said.refused);
  if ('failed' in said) throw new ReadingFailed(`a file could not be read: ${said.failed}`);
  return said;
}

function causeOf({ isFull, message }: EndedEarly): Error {
  if (isFull) return unreadable('The file takes too much memory to read', 'file_too_complex');
  return new ReadingFailed(`a process that read a file ended (${message})`);
}
