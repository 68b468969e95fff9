import { timeOf, type World } from './world.js';

type Point = readonly [at: number, value: number];
/** Something that becomes known at `at` (epoch ms). */
export type Happening = {
  readonly at: number;
  readonly path: '/v1/signal/push' | '/v1/event/record';
  readonly body: object;
};

/** Key of a world's target. */
export const TARGET = 'target';
const A_SECOND = 1_000;

/**
 * Everything that becomes known of a world from step `from` to step `to`, in order: each point a second after
 * its step has ended, events when they are recorded, corrections when they are made. What is known of a step
 * is pushed at once, all signals with the target. `from` 0: and what was known before.
 */
export function agendaOf(world: World, from: number, to: number): readonly Happening[] {
  const [begins, ends] = [from === 0 ? -Infinity : timeOf(world, from), timeOf(world, to)];
  const all: Happening[] = [];
  const push = (at: number, key: string, values: readonly Point[]): void => {
    all.push({ at, path: '/v1/signal/push', body: { key, values } });
  };
  const corrected = new Map(world.revisions.map(revision => [revision.step, revision]));
  for (let step = Math.max(0, from - 1); step < Math.min(to, world.steps); step++) {
    const [at, ended] = [timeOf(world, step), timeOf(world, step + 1) + A_SECOND];
    const value = corrected.get(step)?.was ?? world.target[step]!;
    if (!Number.isNaN(value)) push(ended, TARGET, [[at, value]]);
    for (const { key, values } of world.signals) push(ended, key, [[at, values[step]!]]);
  }
  for (const { step, correctedAt } of world.revisions)
    push(correctedAt, TARGET, [[timeOf(world, step), world.target[step]!]]);
  for (const { key, events } of world.streams)
    for (const { recordedAt, occurredAt, text, value } of events)
      all.push({
        at: recordedAt,
        path: '/v1/event/record',
        body: { key, text, occurred_at: occurredAt, ...(value !== null && { value }) },
      });
  return all.filter(({ at }) => at >= begins && at < ends).sort((a, b) => a.at - b.at);
}

/** Pushes of a signal that follow each other without an event between them, in one. */
export function gathered(agenda: readonly Happening[]): readonly Happening[] {
  const done: Happening[] = [];
  let open = new Map<string, { at: number; values: Point[] }>();
  const close = (): void => {
    for (const [key, { at, values }] of open)
      done.push({ at, path: '/v1/signal/push', body: { key, values } });
    open = new Map();
  };
  for (const each of agenda) {
    if (each.path === '/v1/event/record') {
      close();
      done.push(each);
      continue;
    }
    const { key, values } = each.body as { key: string; values: Point[] };
    const before = open.get(key)?.values ?? [];
    open.set(key, { at: each.at, values: [...before, ...values] });
  }
  close();
  return done.sort((a, b) => a.at - b.at);
}
