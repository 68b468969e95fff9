import * as assert from 'uvu/assert';
import { memoryReadModels } from '../../adapters/memory-read-models.js';
import type { Fact } from '../../domain/fact.js';
import type { PointsRecorded, SignalFact } from '../../domain/signals/facts.js';
import { unpacked } from '../../domain/signals/points.js';
import { EARLIEST, LATEST } from '../../domain/time.js';
import { applyPage } from '../../projections/engine/apply.js';
import { checkpointName, collectionsOf, type Projection } from '../../projections/engine/projection.js';
import type { ReadModels } from '../../projections/engine/read-models.js';
import { signalsProjectionWith } from '../../projections/signals/projection.js';
import { NaiveSignals } from '../projections/naive-signals.js';
import { aPush, joined, signalQueriesOn, signalsWorld, textOf } from '../projections/signals-world.js';
import { randomOf, seedFrom, type Random } from '../random.js';
import { suite } from '../suite.js';

const KEYS = ['a', 'b', 'c'];
const LEAF = 3;
class Killed extends Error {}

/** Signals that grow at their ends, fill up in the middle, are revised, labelled, deleted, and live again. */
async function history(random: Random, pushes: number): Promise<Fact[]> {
  const { commands, context, clock, store } = await signalsWorld({ leafPoints: LEAF });
  let end = 100;
  for (let n = 0; n < pushes; n++) {
    const key = random.pick(KEYS);
    const append = random.chance(0.5);
    if (append) end += random.below(4);
    const from = append ? end : random.below(100);
    const step = 1 + random.below(3);
    const pairs = Array.from(
      { length: 1 + random.below(9) },
      (_, i) => [from + i * step, random.below(4)] as const,
    );
    if (random.chance(0.15))
      await commands.delete('w', random.pick(KEYS), context('w')).catch(() => undefined);
    const group = random.pick(['g', null]);
    if (random.chance(0.15))
      await commands.assignGroup('w', random.pick(KEYS), group, context('w')).catch(() => undefined);
    await commands.push('w', [aPush(key, pairs, random.pick([null, 'EUR']))], context('w'));
    clock.now += 1_000;
  }
  return store.page(-1, 100_000);
}

type Values = Map<number, Set<number>>;
/**
 * What the facts up to a position say of the signals, and what every later one up to another position says
 * besides.
 */
function between(facts: readonly Fact[], from: number, to: number) {
  const naive = new NaiveSignals();
  const certain = new Map<string, Set<number>>();
  const possible = new Map<string, Values>();
  const revisions = new Map<string, number>();
  const note = (): void => {
    for (const [key, { points }] of naive.signals)
      for (const [time, { value }] of points) {
        const of = possible.get(key) ?? new Map<number, Set<number>>();
        possible.set(key, of.set(time, (of.get(time) ?? new Set()).add(value)));
      }
  };
  const last = facts.findLastIndex(({ position }) => position <= from);
  for (const [i, fact] of facts.entries()) {
    if (fact.position > to) break;
    naive.take(fact as Fact<SignalFact>);
    const { key } = fact.data as { key: string };
    if (i <= last) revisions.set(key, fact.revision);
    if (i < last) continue;
    if (i === last) for (const [each, { points }] of naive.signals) certain.set(each, new Set(points.keys()));
    else if (fact.type === 'SignalDeleted') certain.delete(key);
    note();
  }
  return { certain, possible };
}

/**
 * Readers in a state that a crash left: nothing twice, nothing lost, nothing that nobody wrote; and commands
 * know all they must.
 */
async function readable(
  models: ReadModels,
  facts: readonly Fact[],
  from: number,
  to: number,
  what: string,
): Promise<void> {
  const queries = signalQueriesOn(models, signalsProjectionWith(LEAF));
  const { certain, possible } = between(facts, from, to);
  for (const key of KEYS) {
    const ended = facts.some(
      ({ type, position, data }) =>
        type === 'SignalDeleted'
        && position > from
        && position <= to
        && (data as { key: string }).key === key,
    );
    assert.ok(ended || !certain.has(key) || (await queries.signal('w', key)), `${what}: ${key} is gone`);
    // Of a signal that is not there, or not any more, nobody reads points
    if (!(await queries.signal('w', key))) continue;
    const all = await joined(queries.points('w', key, EARLIEST, LATEST));
    const times = all.map(([time]) => time);
    const newest = await queries.newest('w', key, LATEST, 1_000);
    assert.equal(newest.times, times, `${what}: ${key} from both ends`);
    assert.ok(
      times.every((time, i) => i === 0 || time > times[i - 1]!),
      `${what}: ${key} has a point twice: ${times.join()}`,
    );
    if (ended) continue;
    for (const time of certain.get(key) ?? [])
      assert.ok(times.includes(time), `${what}: ${key} lost its point at ${time}`);
    for (const [time, value] of all)
      assert.ok(possible.get(key)?.get(time)?.has(value), `${what}: ${key} has ${value} at ${time}`);
    await known(models, facts, key, what);
  }
}

/** The points that a command is told of are not behind the revision that it is told. */
async function known(models: ReadModels, facts: readonly Fact[], key: string, what: string): Promise<void> {
  const queries = signalQueriesOn(models, signalsProjectionWith(LEAF));
  const naive = new NaiveSignals();
  const timesIn = ({ data }: Fact) =>
    'points' in (data as object) ? unpacked((data as PointsRecorded['data']).points).times : [];
  const times = [...new Set(facts.flatMap(timesIn))];
  const { state, revision } = (await queries.known('w', [{ key, times }]))[0]!;
  for (const fact of facts) {
    if ((fact.data as { key: string }).key === key && fact.revision <= revision)
      naive.take(fact as Fact<SignalFact>);
  }
  assert.is(state.status === 'live', naive.signals.has(key), `${what}: whether ${key} is known`);
  if (state.status !== 'live') return;
  const told = new Set(state.layers.flatMap(({ points }) => unpacked(points).times));
  for (const time of naive.signals.get(key)!.points.keys()) {
    assert.ok(told.has(time), `${what}: a command to ${key} would not know of ${time}`);
  }
}

/** Pages of a size until all facts are applied; `between` is called after each. Answers whether it lived. */
async function lived(
  p: Projection,
  models: ReadModels,
  facts: readonly Fact[],
  size: number,
  between?: (at: number) => Promise<void>,
): Promise<boolean> {
  await models.prepare(collectionsOf(p, 0));
  try {
    for (;;) {
      const page = after(facts, await models.checkpoint(checkpointName(p, 0))).slice(0, size);
      if (page.length === 0) return true;
      await applyPage(p, models, 0, page);
      await between?.(page.at(-1)!.position);
    }
  } catch (error) {
    assert.instance(error, Killed);
    return false;
  }
}

const after = (facts: readonly Fact[], at: number): Fact[] => facts.filter(({ position }) => position > at);
/** Sizes of pages until the kill and after it, and how many leaves may be in hand. */
const ways = [
  [1, 1, 2_000],
  [2, 4, 2_000],
  [5, 1, 2],
  [Infinity, 1, 2_000],
  [Infinity, 4, 2],
  [Infinity, Infinity, 2_000],
] as const;
const RUNS = Number(process.env['CRASH_RUNS'] ?? 1);

suite('the projection of signals killed at any write', test => {
  const random = randomOf(seedFrom('CRASH_SEED'));
  test('ends as one that ran undisturbed, and is readable all the while', async () => {
    let kills = 0;
    for (let n = 0; n < RUNS; n++) {
      const facts = await history(random, 12);
      const clean = memoryReadModels();
      const p = signalsProjectionWith(LEAF);
      await lived(p, clean, facts, 1);
      const expected = await textOf(clean, p);
      for (const [size, sizeAfter, mostLeaves] of ways)
        for (let killAt = 0, killed = true; killed; killAt++) {
          const q = signalsProjectionWith(LEAF, mostLeaves);
          const again = random.below(60);
          const pages = `pages of ${size}, then of ${sizeAfter}, ${mostLeaves} leaves at most`;
          let what = `${pages}, killed at write ${killAt}`;
          let writes = 0;
          let dies = killAt;
          let end = -1;
          const models = memoryReadModels(() => {
            if (writes++ === dies) throw new Killed();
          });
          const look = async (from: number): Promise<void> =>
            readable(models, facts, from, Math.max(from, end), `${what}, at ${from}`);
          const crashed = async (pages: number): Promise<void> => {
            const at = await models.checkpoint(checkpointName(p, 0));
            end = Math.max(end, after(facts, at).slice(0, pages).at(-1)!.position);
            await look(at);
            kills++;
          };
          killed = !(await lived(q, models, facts, size));
          if (killed) await crashed(size);
          [writes, dies, what] = [0, again, `${what}, killed again at write ${again}`];
          if (!(await lived(q, models, facts, sizeAfter, look))) await crashed(sizeAfter);
          dies = -1;
          assert.ok(await lived(q, models, facts, sizeAfter, look));
          assert.is(await textOf(models, p), expected, what);
        }
    }
    console.log(`${kills} kills`);
    assert.ok(kills > 700, `${kills} kills`);
  });
});
