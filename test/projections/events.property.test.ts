import fc from 'fast-check';
import * as assert from 'uvu/assert';
import { eventIdOf } from '../../commands/events/ids.js';
import { Rejected } from '../../domain/rejected.js';
import type { EventDoc } from '../../projections/events/documents.js';
import { suite } from '../suite.js';
import { NaiveWorkspace, type NaiveEvent } from './naive.js';
import { rankOf, world } from './world.js';

const START = 1_800_000_000_000;
const workspaces = ['w1', 'w2'];
const keys = ['a', 'a/b%'];
const texts = ['Storm cuts power', 'Storm cuts water and power', '42', '嵐 ⚡'];
const times = [START - 3_600_000, START, START + 1_000, START + 5_000, START - 8 * 86_400_000];
const details = [{}, { value: 1 }, { value: 2, name: 'n' }, { raw: { deep: [1, { a: null }] }, source: 's' }];

const one = <T>(list: readonly T[]) => fc.constantFrom(...list);
const event = fc.record({
  workspace: one(workspaces),
  key: one(keys),
  text: one(texts),
  occurredAt: one(times),
});
const operation = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant('record' as const), event, details: one(details) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('revise' as const),
      event,
      changes: one([
        { name: 'x' },
        { name: null },
        { value: 5 },
        { value: 2 },
        { value: null },
        { occurredAt: times[3]! },
        { occurredAt: times[0]! },
      ]),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('withdraw' as const), event }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('deleteStream' as const), event }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('score' as const) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('wait' as const), ms: one([1, 900, 4_000]) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('project' as const), page: one([1, 3, 50]) }) },
);
type Operation = typeof operation extends fc.Arbitrary<infer T> ? T : never;
type World = Awaited<ReturnType<typeof world>>;

suite('any interleaving of record, revise, delete and re-record', test => {
  test('leaves the read models as a naive model says', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(operation, { maxLength: 40 }), async operations => {
        const real = await world();
        const naive = new Map(workspaces.map(w => [w, new NaiveWorkspace(real.numeric, rankOf)]));
        for (const each of operations) await both(real, naive, each);
        await real.project(5);
        for (const [workspace, model] of naive) await same(real, workspace, model);
        const waiting = [...naive.values()].flatMap(model => [...model.events.values()]);
        assert.equal(pick(await real.queries.totals(), ['count', 'pending']), {
          count: waiting.length,
          pending: waiting.filter(({ status }) => status === 'pending').length,
        });
        const pendingOf = ({ events }: NaiveWorkspace) =>
          [...events.values()].filter(({ status }) => status === 'pending').length;
        const backlogs = [...naive].map(([name, model]): [string, number] => [name, pendingOf(model)]);
        assert.equal(
          new Map(await real.queries.backlogs(0)),
          new Map(backlogs.filter(([, pending]) => pending > 0)),
        );
      }),
      { numRuns: 300 },
    );
  });
});

async function both(real: World, naive: ReadonlyMap<string, NaiveWorkspace>, each: Operation): Promise<void> {
  const now = real.clock.now;
  if (each.do === 'wait') {
    real.clock.now += each.ms;
    await real.comeDue();
    for (const model of naive.values()) model.comeDue(real.clock.now);
  } else if (each.do === 'score') {
    await real.score();
    for (const model of naive.values()) model.scoreAll();
  } else if (each.do === 'project') {
    await real.project(each.page);
  } else {
    const { workspace, key, text, occurredAt } = each.event;
    const id = eventIdOf(workspace, key, occurredAt, text);
    const model = naive.get(workspace)!;
    const context = real.context(workspace);
    if (each.do === 'record') {
      const recorded = await real.commands.record(
        workspace,
        { key, text, occurredAt, details: each.details },
        context,
      );
      const expected = model.record(id, key, text, occurredAt, each.details, now);
      assert.equal([recorded.eventId, recorded.status], [expected.id, expected.status]);
    } else if (each.do === 'deleteStream') {
      const { position } = await real.commands.deleteStream(workspace, key, context);
      await real.project();
      const deleted = (await real.queries.stream(workspace, key))?.deleted;
      assert.is(deleted?.at === position ? deleted!.count : 0, model.deleteStream(key));
    } else {
      const done =
        each.do === 'withdraw'
          ? real.commands.withdraw(workspace, id, null, context)
          : real.commands.revise(workspace, id, each.changes, null, context);
      const movedTo = each.do === 'revise' && 'occurredAt' in each.changes ? each.changes.occurredAt : null;
      const place = movedTo === null ? id : eventIdOf(workspace, key, movedTo, text);
      const found = each.do === 'withdraw' ? model.withdraw(id) : model.revise(id, place, each.changes, now);
      assert.is(
        await done.then(
          () => true,
          (error: unknown) => {
            assert.instance(error, Rejected);
            return false;
          },
        ),
        found,
      );
    }
  }
}

async function same(real: World, workspace: string, model: NaiveWorkspace): Promise<void> {
  const now = real.clock.now;
  for (const key of keys) {
    const expected = [...model.events.values()]
      .filter(e => e.key === key)
      .sort((a, b) => b.occurredAt - a.occurredAt || (a.id < b.id ? 1 : -1));
    const page = await real.queries.streamPage(workspace, key, 500, null, null);
    assert.equal(page.events.map(seen), expected.map(asSeen));
    const stream = await real.queries.stream(workspace, key);
    assert.is(stream?.count ?? 0, expected.length);
    assert.is(
      Math.max(0, ...Object.keys(stream?.ranks ?? {}).map(Number)),
      Math.max(0, ...expected.map(e => e.rank ?? 0)),
    );
    const last = expected[0]?.occurredAt ?? null;
    assert.ok(
      stream === null || (stream.last_exact ? stream.last_at === last : stream.last_at! >= last!),
      `the last event of ${key}`,
    );
    for (const { id, history } of expected)
      assert.is((await real.queries.revisions(workspace, id, 0, 100))!.total, history + 1);
  }
  const upcoming = await real.queries.upcoming(workspace, now, now + 1e9, null, 1_000);
  assert.equal(
    upcoming.events.map(e => e.event_id),
    [...model.events.values()]
      .filter(e => e.due)
      .sort((a, b) => a.occurredAt - b.occurredAt || (a.id < b.id ? -1 : 1))
      .map(e => e.id),
  );
}

const seen = (e: EventDoc) => ({
  id: e.event_id,
  text: e.text,
  occurredAt: e.occurred_at,
  recordedAt: e.timestamp,
  status: e.status,
  rank: e.scores?.rank ?? null,
  novelty: e.scores?.novelty ?? null,
  value: e.value,
  name: e.given.name ?? null,
  source: e.given.source ?? e.key,
  raw: e.raw_json,
  revision: e.revision,
  fired: e.fired_at,
});
const asSeen = (e: NaiveEvent) => ({
  id: e.id,
  text: e.text,
  occurredAt: e.occurredAt,
  recordedAt: e.recordedAt,
  status: e.status,
  rank: e.rank,
  novelty: e.novelty,
  value: e.details.value ?? null,
  name: e.details.name ?? null,
  source: e.details.source ?? e.key,
  raw: e.details.raw === undefined ? null : JSON.stringify(e.details.raw),
  revision: e.history + 1,
  fired: e.fired,
});
const pick = <T extends object, K extends keyof T>(from: T, members: K[]) =>
  Object.fromEntries(members.map(m => [m, from[m]]));
