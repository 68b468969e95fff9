import { SUBSCRIBED } from '../../domain/events/streams.js';
import { ALIAS } from '../../domain/signals/aliases.js';
import type { contextOf } from '../edge/context.js';
import type { reasons } from './deletion-schemas.js';
import type { SignalDeps } from './deps.js';
import { latest, streamsNamed, unlessGone } from './writes.js';

type Context = ReturnType<typeof contextOf>;
type Skipped = { readonly key: string; readonly reason: (typeof reasons)[number] };
/** What became of a part of the batch; `count`: how many points or events went. */
type Part = {
  readonly deleted: readonly string[];
  readonly count: number;
  readonly skipped: readonly Skipped[];
};

/** Why a key was skipped. A prefix of aliases alone says so, whether or not there is such an alias. */
function reasonOf(key: string): Skipped['reason'] {
  if (key.startsWith(ALIAS)) return 'subscribed_alias';
  return key.startsWith(SUBSCRIBED) ? 'subscribed_stream' : 'not_found';
}

/** Deletes those of the signals that there are. */
export async function deleteSignals(
  deps: SignalDeps,
  workspace: string,
  keys: readonly string[],
  context: Context,
): Promise<Part> {
  const { commands, queries, visible } = deps;
  const there = await queries.signals(workspace, keys);
  const gone = (key: string) => unlessGone(commands.delete(workspace, key, context));
  const outcomes = await Promise.all(keys.map(key => (there.has(key) ? gone(key) : null)));
  await visible(latest(outcomes));
  const points = await Promise.all(
    keys.map(async (key, i) => {
      const outcome = outcomes[i];
      if (!outcome) return 0;
      const end = await queries.end(workspace, key);
      return end?.at === outcome.position ? end.points : there.get(key)!.count;
    }),
  );
  return partOf(keys, points, outcomes);
}

/** Deletes those of the event streams that there are. */
export async function deleteStreams(
  deps: SignalDeps,
  workspace: string,
  keys: readonly string[],
  context: Context,
): Promise<Part> {
  const { commands, queries, visible } = deps.streams;
  const there = await streamsNamed(deps, workspace, keys);
  const outcomes = await Promise.all(
    keys.map(key => (there.has(key) ? commands.deleteStream(workspace, key, context) : null)),
  );
  await visible(latest(outcomes));
  const events = await Promise.all(
    keys.map(async (key, i) => {
      const outcome = outcomes[i];
      if (!outcome) return 0;
      const deleted = (await queries.stream(workspace, key))?.deleted;
      return deleted?.at === outcome.position ? deleted.count : there.get(key)!.count;
    }),
  );
  return partOf(keys, events, outcomes);
}

/** Whatever was not deleted was skipped. */
function partOf(
  keys: readonly string[],
  counts: readonly number[],
  outcomes: readonly (object | null)[],
): Part {
  return {
    deleted: keys.filter((_, i) => outcomes[i]),
    count: counts.reduce((a, b) => a + b, 0),
    skipped: keys.filter((_, i) => !outcomes[i]).map(key => ({ key, reason: reasonOf(key) })),
  };
}
