import * as assert from 'uvu/assert';
import { agendaOf, gathered, TARGET, type Happening } from '../../../bench/worlds/agenda.js';
import { worldOf } from '../../../bench/worlds/generate.js';
import { timeOf, type World } from '../../../bench/worlds/world.js';
import { suite } from '../../suite.js';

type Body = { key: string; values?: [number, number][]; occurred_at?: number };
const bodies = (agenda: readonly Happening[], path: string): Body[] =>
  agenda.filter(each => each.path === path).map(({ body }) => body as Body);
/** What a platform knows of the target after these pushes: the last one of a time counts. */
const targetAfter = (agenda: readonly Happening[]): Map<number, number> =>
  new Map(bodies(agenda, '/v1/signal/push').flatMap(({ key, values }) => (key === TARGET ? values! : [])));

suite('what becomes known of a world', test => {
  const world: World = worldOf(2, 'rough');
  const cut = Math.floor(world.steps / 2);
  // late events and corrections come after the last step
  const end = world.steps + 60;
  const parts = [agendaOf(world, 0, cut), agendaOf(world, cut, end)] as const;
  const all = [...parts[0], ...parts[1]];

  test('comes in order, and each part where it belongs', () => {
    for (const part of parts)
      for (const [i, { at }] of part.entries()) assert.ok(i === 0 || at >= part[i - 1]!.at);
    assert.ok(parts[0].every(({ at }) => at < timeOf(world, cut)));
    assert.ok(parts[1].every(({ at }) => at >= timeOf(world, cut)));
  });

  test('holds each event once, when it was recorded', () => {
    const events = world.streams.flatMap(({ events: of }) => of);
    assert.is(bodies(all, '/v1/event/record').length, events.length);
    const late = events.find(({ recordedAt, occurredAt }) => recordedAt - occurredAt > 5 * world.stepMs)!;
    const { at } = all.find(({ body }) => (body as Body).occurred_at === late.occurredAt)!;
    assert.is(at, late.recordedAt);
  });

  test('holds each point once it is over, and corrections after what they correct', () => {
    for (const { at, path, body } of all)
      if (path === '/v1/signal/push')
        for (const [step] of (body as Body).values!) assert.ok(at >= step + world.stepMs);
    const known = targetAfter(all);
    for (let step = 0; step < world.steps; step++) {
      const value = world.target[step]!;
      if (!Number.isNaN(value)) assert.is(known.get(timeOf(world, step)), value);
    }
    const { step, was, correctedAt } = world.revisions[0]!;
    const before = targetAfter(all.filter(({ at }) => at < correctedAt));
    assert.is(before.get(timeOf(world, step)), was);
  });

  test('is the same when pushes are gathered, in fewer calls', () => {
    const few = gathered(all);
    assert.ok(few.length < all.length / 4);
    assert.equal([...targetAfter(few)].sort(), [...targetAfter(all)].sort());
    assert.equal(bodies(few, '/v1/event/record'), bodies(all, '/v1/event/record'));
  });
});
