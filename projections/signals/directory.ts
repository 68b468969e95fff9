import { fairTurn } from '../../fair-turns.js';
import type { Reader } from '../engine/reader.js';
import type { SignalDoc, SignalWorkspaceDoc } from './documents.js';
import { signalId } from './ids.js';

/** What is looked for; null: anything. `search`: a part of the key or of the name, whatever the case. */
export type Wanted = {
  readonly group: string | null;
  readonly origin: string | null;
  readonly search: string | null;
};
type Listed = Pick<SignalDoc, 'key' | 'name' | 'group' | 'origin'> & { readonly folded: readonly string[] };
/** Signals of a workspace by key, as they were said to be up to a position of the log. */
type Directory = { readonly signals: Map<string, Listed>; readonly upTo: number };

const FIELDS = ['key', 'name', 'group', 'origin', 'said_at'] as const;
/** So many signals are held in all, at about 300 bytes each; a workspace with more is read each time. */
const MOST = 200_000;
/** Signals that are looked at in one go. */
const AT_ONCE = 5_000;

/**
 * A directory of each workspace's signals in memory, for searches: which there are, and what is said of them.
 * Points do not change it. It is brought up to date by what was said since it was last asked, and read anew
 * when signals have gone.
 */
export function signalDirectories(read: Reader, most = MOST) {
  const held = new Map<string, Directory>();
  const coming = new Map<string, Promise<Directory>>();

  async function upToDate(workspace: string): Promise<Directory> {
    // First, so that what is read next holds all facts up to there
    const upTo = await read.upTo();
    const all = await read.get<SignalWorkspaceDoc>('signal_workspaces', workspace);
    const known = held.get(workspace);
    if (!all) return { signals: new Map(), upTo };
    if (known && all.changed <= known.upTo) return known;
    const grown = known && { signals: await saidSince(workspace, known, read), upTo };
    // As many as there are: then none of those that were known has gone
    const isWhole = grown?.signals.size === all.signals || (grown && all.changed > upTo);
    if (grown && isWhole) return grown;
    return { signals: await saidSince(workspace, null, read), upTo };
  }

  /** The oldest go when there are too many. */
  function hold(workspace: string, directory: Directory): void {
    held.delete(workspace);
    if (directory.signals.size > most) return;
    held.set(workspace, directory);
    let count = 0;
    for (const { signals } of held.values()) count += signals.size;
    for (const [oldest, { signals }] of held) {
      if (count <= most) return;
      held.delete(oldest);
      count -= signals.size;
    }
  }

  async function directoryOf(workspace: string): Promise<Directory> {
    // What is on its way may have begun before the write that this one must see; the next one did not
    const before = coming.get(workspace);
    await before?.catch(() => {});
    const under = coming.get(workspace);
    const asked = under && under !== before ? under : upToDate(workspace);
    coming.set(workspace, asked);
    try {
      const directory = await asked;
      hold(workspace, directory);
      return directory;
    } finally {
      if (coming.get(workspace) === asked) coming.delete(workspace);
    }
  }

  return {
    /** Keys of all signals of a workspace that fit, in no order. */
    async matching(workspace: string, wanted: Wanted): Promise<string[]> {
      const { signals } = await directoryOf(workspace);
      const fits = fitting(wanted);
      const keys: string[] = [];
      let looked = 0;
      for (const signal of [...signals.values()]) {
        if (fits(signal)) keys.push(signal.key);
        if (++looked % AT_ONCE === 0) await fairTurn(workspace);
      }
      return keys;
    },
  };
}

/** What is known of a workspace, with all that was said since; null: nothing is known. */
async function saidSince(
  workspace: string,
  known: Directory | null,
  read: Reader,
): Promise<Directory['signals']> {
  const signals = new Map(known?.signals);
  const pages = known
    ? read.pages<SignalDoc>('signals', {
        where: { workspace, said_at: { gt: known.upTo } },
        sort: { by: ['said_at', '_id'] },
        fields: FIELDS,
      })
    : read.pages<SignalDoc>('signals', {
        where: { _id: { prefix: signalId(workspace, '') } },
        sort: { by: ['_id'] },
      });
  for await (const page of pages) {
    for (const { key, name = null, group, origin } of page) {
      const folded = [key, name ?? ''].filter(text => text !== '').map(text => text.toLowerCase());
      signals.set(key, { key, name, group, origin, folded });
    }
    await fairTurn(workspace);
  }
  return signals;
}

function fitting({ group, origin, search }: Wanted): (signal: Listed) => boolean {
  const part = search?.toLowerCase() ?? '';
  return signal =>
    (group === null || signal.group === group)
    && (origin === null || signal.origin === origin)
    && (part === '' || signal.folded.some(text => text.includes(part)));
}
