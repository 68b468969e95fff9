import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { embeddedReadModels } from '../../adapters/embedded/read-models.js';
import { memoryEventStore, memoryKeyValue } from '../../adapters/memory.js';
import { memoryReadModels } from '../../adapters/memory-read-models.js';
import { StoreUnavailable } from '../../commands/ports/event-store.js';
import { handler, loader } from '../../commands/engine/handle.js';
import { START, type Fact } from '../../domain/fact.js';
import type { ReadModels } from '../../projections/engine/read-models.js';
import { ReadModelsBehind } from '../../workers/engine/failures.js';
import { checkpointOf, react, type Reactor } from '../../workers/engine/reactor.js';
import { askForRetry } from '../../workers/engine/retry-requests.js';
import { SET_ASIDE, setAsideQueries } from '../../workers/engine/set-aside-facts.js';
import { inFolder, type Opened } from '../contract/opened.js';
import { openedOn } from '../contract/mongodb.js';
import { until } from '../platform.js';
import { quiet } from '../projections/world.js';
import { meta } from '../spec.js';
import { skipped, suite } from '../suite.js';

const NOW = 1_800_000_000_000;
const PAUSES = [5, 10];

/** A log, and a reactor whose handler a test makes fail by the fact's number. */
async function stand(models: ReadModels, concurrency = 4) {
  const store = memoryEventStore();
  const kv = memoryKeyValue(() => NOW);
  await models.prepare([SET_ASIDE]);
  const facts: Fact[] = [];
  const running = new Set<number>();
  const seen = { most: 0, done: [] as number[], attempts: [] as number[] };
  const rule = { answer: async (_nth: number): Promise<void> => undefined };
  const reactor: Reactor = {
    name: 'jobs',
    concurrency,
    on: {
      async JobAsked({ data }: Fact<{ type: 'JobAsked'; data: { nth: number } }>) {
        const { nth } = data;
        running.add(nth);
        seen.attempts.push(nth);
        seen.most = Math.max(seen.most, running.size);
        try {
          await rule.answer(nth);
          seen.done.push(nth);
        } finally {
          running.delete(nth);
        }
      },
    },
  };
  const deps = { handle: handler(store, randomUUID), load: loader(store) };
  const append = async (count: number): Promise<void> => {
    for (let i = 0; i < count; i++) {
      const fact = { id: randomUUID(), type: 'JobAsked', at: NOW, data: { nth: facts.length }, meta };
      const { position } = await store.append(`job-${fact.id}`, START, [fact]);
      facts.push({ ...fact, journal: `job-${fact.id}`, revision: 0, position });
    }
  };
  return {
    ...{ store, models, kv, facts, running, seen, rule, append },
    start: (pauses = PAUSES) =>
      react(reactor, { store, models, kv, deps, clock: () => NOW, log: quiet, pauses }),
    checkpoint: () => models.checkpoint(checkpointOf(reactor)),
    setAside: setAsideQueries(models),
    all: (at: readonly number[]) => [...at].sort((a, b) => a - b),
  };
}

const numbers = (count: number): number[] => Array.from({ length: count }, (_, nth) => nth);
const soon = (): Promise<void> => new Promise(resolve => setImmediate(resolve));

function reactors(name: string, open: () => Promise<Opened<ReadModels>>): void {
  suite(`reactors (${name})`, test => {
    let opened: Opened<ReadModels>;
    test.before.each(async () => {
      opened = await open();
    });
    test.after.each(() => opened.close());

    test('a fact that fails ends nothing; no more at once than asked for, stop waits for all', async () => {
      const w = await stand(opened.store);
      const held: (() => void)[] = [];
      w.rule.answer = async nth => {
        if (nth === 0) throw new Error('broken');
        await new Promise<void>(resolve => held.push(resolve));
      };
      await w.append(40);
      const reactor = w.start();
      await until(async () => w.seen.attempts.length > 4 || held.length === 4, 'four at once');
      // Time for what must not happen: the page begun again while its facts are under way
      await new Promise(resolve => setTimeout(resolve, 100));
      assert.is(w.seen.most, 4);
      const stopped = reactor.stop().then(() => w.running.size);
      await soon();
      assert.is(w.running.size, 4);
      for (const release of held.splice(0)) release();
      assert.is(await stopped, 0);
      assert.is(held.length, 0, 'nothing more was begun');

      w.rule.answer = async () => undefined;
      const next = w.start();
      await until(async () => w.seen.done.length >= 40 && next.waiting() === 0, 'all of them');
      await next.stop();
      assert.equal(w.all([...new Set(w.seen.done)]), numbers(40));
      assert.is(w.seen.done.length, 40, 'what was done before the stop is remembered');
    });

    test('facts that pass by cost few writes, and the checkpoint tells of them', async () => {
      let commits = 0;
      const counting: ReadModels = {
        ...opened.store,
        async commit(page) {
          commits++;
          await opened.store.commit(page);
        },
      };
      const w = await stand(counting);
      const reactor = w.start();
      const pass = async (nth: number): Promise<void> => {
        const fact = { id: randomUUID(), type: 'OfNoConcern', at: NOW, data: {}, meta };
        await w.store.append(`other-${nth}`, START, [fact]);
        await until(async () => reactor.position() === nth, 'it having passed');
      };
      for (let nth = 0; nth < 20; nth++) await pass(nth);
      await until(async () => (await w.checkpoint()) === 19, 'the checkpoint');
      assert.ok(commits < 10, `${commits} writes`);
      await reactor.stop();
    });

    test('a fact that fails again and again is parked as data, and others go on', async () => {
      const w = await stand(opened.store);
      w.rule.answer = async nth => {
        if (nth === 2) throw new Error('bad value of psg_live_abc123');
      };
      await w.append(600);
      const reactor = w.start();
      await until(async () => (await w.setAside.count({ state: 'parked' })) === 1, 'parked');
      await until(async () => w.seen.done.length === 599, 'the others');
      await until(async () => (await w.checkpoint()) === 599, 'the checkpoint');
      assert.equal(w.seen.attempts.filter(nth => nth === 2).length, PAUSES.length + 1);
      const [doc] = await w.setAside.find({}, 10);
      const fact = w.facts[2]!;
      assert.equal(doc, {
        _id: `jobs/${fact.id}`,
        _at: 2,
        reactor: 'jobs',
        state: 'parked',
        fact_id: fact.id,
        position: 2,
        journal: fact.journal,
        revision: 0,
        type: 'JobAsked',
        workspace: meta.workspace,
        attempts: 3,
        first_failed_at: NOW,
        last_failed_at: NOW,
        error: 'bad value of psg_live_***',
      });
      assert.equal([...(await w.setAside.parkedByReactor())], [['jobs', 1]]);
      await reactor.stop();
    });

    test('a parked fact survives a restart untouched, and is tried again when it is asked for', async () => {
      const w = await stand(opened.store);
      let broken = true;
      w.rule.answer = async nth => {
        if (nth === 0 && broken) throw new Error('broken');
      };
      await w.append(1);
      const first = w.start();
      await until(async () => (await w.setAside.count({ state: 'parked' })) === 1, 'parked');
      await first.stop();
      const attempts = w.seen.attempts.length;
      const reactor = w.start();
      await w.append(1);
      await until(async () => w.seen.done.includes(1), 'the next fact');
      assert.is(w.seen.attempts.length, attempts + 1);

      await askForRetry(w.kv, 'jobs', [w.facts[0]!.id]);
      await until(async () => w.seen.attempts.length > attempts + 3, 'tried again');
      await until(async () => (await w.setAside.count({ state: 'parked' })) === 1, 'parked again');
      broken = false;
      await askForRetry(w.kv, 'jobs', [w.facts[0]!.id]);
      await until(async () => (await w.setAside.count({})) === 0, 'answered');
      assert.equal(w.all(w.seen.done), [0, 1]);
      await until(async () => (await w.kv.get('retry/jobs')) === null, 'the request has gone');
      await reactor.stop();
    });

    test('how often a fact was tried survives a restart', async () => {
      const w = await stand(opened.store);
      w.rule.answer = async () => {
        throw new Error('broken');
      };
      await w.append(1);
      const first = w.start([0, 600_000]);
      await until(async () => (await w.setAside.find({}, 1))[0]?.attempts === 2, 'two attempts');
      await first.stop();
      const second = w.start();
      await until(async () => (await w.setAside.count({ state: 'parked' })) === 1, 'parked');
      await second.stop();
      assert.is(w.seen.attempts.length, 3);
    });

    for (const [what, failure] of [
      ['a store that is away', () => new StoreUnavailable('away')],
      ['read models that are behind', () => new ReadModelsBehind('behind')],
      [
        'a store that is away, somewhere below',
        () => new Error('no', { cause: new StoreUnavailable('away') }),
      ],
    ] as const)
      test(`${what}: facts wait as long as it takes, none is parked, and not all are taken`, async () => {
        const w = await stand(opened.store, 50);
        let away = true;
        w.rule.answer = async () => {
          if (away) throw failure();
        };
        await w.append(1_500);
        const reactor = w.start();
        await until(async () => w.seen.attempts.length > 10_000, 'many attempts');
        assert.is(await w.setAside.count({ state: 'parked' }), 0);
        assert.is(reactor.waiting(), 1_000);
        assert.is(await w.checkpoint(), 999);
        away = false;
        await until(async () => w.seen.done.length === 1_500 && reactor.waiting() === 0, 'all of them');
        await reactor.stop();
        assert.is(await w.setAside.count({}), 0);
        assert.equal(w.all(w.seen.done), numbers(1_500));
      });

    test('a checkpoint that cannot be written leaves nothing undone', async () => {
      const w = await stand(opened.store);
      let refused = 0;
      const commit = w.models.commit;
      const models: ReadModels = {
        ...w.models,
        commit: async page => {
          if (refused++ < 2) throw new StoreUnavailable('away');
          return commit(page);
        },
      };
      w.rule.answer = async nth => {
        if (nth === 3) throw new Error('broken');
      };
      await w.append(8);
      Object.assign(w.models, models);
      const reactor = w.start();
      await until(async () => (await w.setAside.count({ state: 'parked' })) === 1, 'parked');
      await until(async () => (await w.checkpoint()) === 7, 'the checkpoint');
      await reactor.stop();
      assert.equal(w.all([...new Set(w.seen.done)]), [0, 1, 2, 4, 5, 6, 7]);
    });
  });
}

reactors('memory', async () => ({ store: memoryReadModels(), close: async () => undefined }));
reactors('embedded', () => inFolder(folder => embeddedReadModels(join(folder, 'models.db'))));
const { MONGODB_URL: url } = process.env;
if (url) reactors('MongoDB', () => openedOn(url, Date.now, mongo => mongo.models));
else skipped('reactors on MongoDB', 'no MONGODB_URL');
