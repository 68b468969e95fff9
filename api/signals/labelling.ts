import type { Outcome } from '../../commands/engine/handle.js';
import type { Message } from '../../domain/fact.js';
import { contextOf } from '../edge/context.js';
import type { SignalDeps } from './deps.js';
import { latest, streamsNamed, unlessGone } from './writes.js';

/** What is written to one key. */
export type Write = (key: string) => Promise<Outcome<Message, unknown>>;

/** What is written to a signal, and to an event stream (null: nothing) of a key. */
type Writes = { readonly signal: Write; readonly stream: Write | null };

/** For how many keys it was written, and which there are not. */
export type Said = { readonly updated: number; readonly unknown_keys: readonly string[] };

type CallOf = Parameters<typeof contextOf>[0];

/** Puts signals and event streams into a group; null: back to the automatic one. */
export function grouped(
  deps: SignalDeps,
  call: CallOf,
  keys: readonly string[],
  group: string | null,
): Promise<Said> {
  const { workspace } = call;
  const context = contextOf(call, deps.clock());
  return said(deps, workspace, keys, {
    signal: key => deps.commands.assignGroup(workspace, key, group, context),
    stream: key => deps.streams.commands.assignStreamGroup(workspace, key, group, context),
  });
}

/** Writes to those of the keys that there are, and answers when it can be seen. */
export async function said(
  deps: SignalDeps,
  workspace: string,
  given: readonly string[],
  { signal, stream }: Writes,
): Promise<Said> {
  const keys = [...new Set(given)];
  const [signals, streams] = await Promise.all([
    deps.queries.signals(workspace, keys),
    streamsNamed(deps, workspace, keys),
  ]);
  const written = await Promise.all(
    keys.map(async key => ({
      key,
      signal: signals.has(key) ? await unlessGone(signal(key)) : null,
      stream: stream && streams.has(key) ? await stream(key) : null,
    })),
  );
  await Promise.all([
    deps.visible(latest(written.map(each => each.signal))),
    deps.streams.visible(latest(written.map(each => each.stream))),
  ]);
  const unknown = written.filter(each => !each.signal && !each.stream).map(({ key }) => key);
  return { updated: keys.length - unknown.length, unknown_keys: unknown };
}
