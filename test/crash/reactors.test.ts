import { randomUUID } from 'node:crypto';
import * as assert from 'uvu/assert';
import { memoryKeyValue } from '../../adapters/memory.js';
import { handler, loader } from '../../commands/engine/handle.js';
import type { KeyValue } from '../../commands/ports/key-value.js';
import type { Decider } from '../../domain/decider.js';
import { START, type Fact, type Message } from '../../domain/fact.js';
import { checkpointOf, react, type Reactor, type Reacts } from '../../workers/engine/reactor.js';
import { askForRetry } from '../../workers/engine/retry-requests.js';
import { SET_ASIDE, setAsideQueries } from '../../workers/engine/set-aside-facts.js';
import { quiet } from '../projections/world.js';
import { meta } from '../spec.js';
import { suite } from '../suite.js';
import { Deaths, embeddedDisk, memoryDisk, type Disk } from './deaths.js';

const NOW = 1_800_000_000_000;
const JOBS = 12;
const BROKEN = [2, 3, 11];
const PAUSES = [1, 2];
const AT_ONCE = 16;

type Asked = Message<'JobAsked', { readonly nth: number }>;
type Answered = Message<'JobAnswered', { readonly nth: number }>;
/** A job is answered once. */
const answers: Decider<Message<'AnswerJob', { readonly nth: number }>, Answered, boolean> = {
  category: 'answer',
  initialState: false,
  idOf: ({ data }) => String(data.nth),
  decide: ({ data }, answered) => (answered ? [] : [{ type: 'JobAnswered', data }]),
  evolve: () => true,
};

/** A reactor over stores that die as planned; what it cannot do is mended between `work` and `retry`. */
class Life {
  readonly deaths: Deaths;
  readonly #kv = memoryKeyValue(() => NOW);
  #stores!: ReturnType<Disk['open']>;
  #reactor!: Reacts;
  #mended = false;

  constructor(
    readonly disk: Disk,
    plan: readonly number[],
  ) {
    this.deaths = new Deaths(plan);
  }

  async begin(): Promise<void> {
    this.deaths.begin();
    this.#stores = this.disk.open(this.deaths.before);
    await this.#stores.models.prepare([SET_ASIDE]);
    const store = this.deaths.events(this.#stores.events);
    const deps = { handle: handler(store, randomUUID), load: loader(store) };
    this.#reactor = react(this.#jobs(), {
      ...{ store, deps, kv: this.#mortalKv(), clock: () => NOW, log: quiet, pauses: PAUSES },
      models: this.deaths.models(this.#stores.models),
    });
  }

  #jobs(): Reactor {
    return {
      name: 'jobs',
      concurrency: 3,
      on: {
        JobAsked: async ({ data }: Fact<Asked>, context, { handle }) => {
          if (BROKEN.includes(data.nth) && !this.#mended) throw new Error('broken');
          await handle(answers, { type: 'AnswerJob', data }, context);
        },
      },
    };
  }

  #mortalKv(): KeyValue {
    return {
      get: key => this.#kv.get(key),
      set: async (...entry) => {
        this.deaths.before();
        return this.#kv.set(...entry);
      },
    };
  }

  async append(): Promise<void> {
    for (let nth = 0; nth < JOBS; nth++) {
      const fact = { id: randomUUID(), type: 'JobAsked', at: NOW, data: { nth }, meta };
      await this.#stores.events.append(`job-${nth}`, START, [fact]);
    }
  }

  /** Lives until all is done that can be, in as many lives as it takes; answers what is there then. */
  async work() {
    while (!(await this.#settled())) {
      if (this.deaths.dead) await this.#again();
      await new Promise(resolve => setTimeout(resolve, 2));
    }
    const { events, models } = this.#stores;
    const parked = await setAsideQueries(models).find({}, 100);
    const facts = await events.page(START, 1_000);
    return {
      parked: parked.map(({ journal, state, attempts }) => [journal, state, attempts]),
      answered: facts
        .filter(({ type }) => type === 'JobAnswered')
        .map(({ data }) => (data as Answered['data']).nth)
        .sort((a, b) => a - b),
    };
  }

  async retry() {
    this.#mended = true;
    const parked = await setAsideQueries(this.#stores.models).find({ state: 'parked' }, 100);
    await askForRetry(
      this.#kv,
      'jobs',
      parked.map(({ fact_id: id }) => id),
    );
    return this.work();
  }

  async #settled(): Promise<boolean> {
    if (this.deaths.dead || this.#reactor.waiting() > 0) return false;
    const { events, models } = this.#stores;
    const reached = await models.checkpoint(checkpointOf(this.#jobs()));
    const parked = await setAsideQueries(models).count({ state: 'parked' });
    return reached === (await events.head()) && parked === (this.#mended ? 0 : BROKEN.length);
  }

  async #again(): Promise<void> {
    this.deaths.count++;
    await this.#reactor.stop();
    await this.disk.fail();
    await this.begin();
  }

  async end(): Promise<void> {
    await this.#reactor.stop();
    await this.disk.remove();
  }
}

async function run(disk: Disk, plan: readonly number[]) {
  const life = new Life(disk, plan);
  await life.begin();
  try {
    await life.append();
    return { worked: await life.work(), retried: await life.retry(), deaths: life.deaths };
  } finally {
    await life.end();
  }
}

const all = Array.from({ length: JOBS }, (_, nth) => nth);

for (const [name, disk] of [
  ['memory', memoryDisk],
  ['embedded', embeddedDisk],
] as const)
  suite(`a reactor that fails at some facts, killed at any write (${name})`, test => {
    test('parks and answers as one that ran undisturbed, each fact once', async () => {
      const calm = await run(disk(), []);
      assert.equal(
        calm.worked.parked,
        BROKEN.map(nth => [`job-${nth}`, 'parked', PAUSES.length + 1]),
      );
      assert.equal(
        calm.worked.answered,
        all.filter(nth => !BROKEN.includes(nth)),
      );
      assert.equal(calm.retried, { parked: [], answered: all });

      let deaths = 0;
      const points = Array.from({ length: calm.deaths.points }, (_, n) => n);
      const dying = async (): Promise<void> => {
        for (let n = points.shift(); n !== undefined; n = points.shift()) {
          const plan = n % 3 === 0 ? [n, n % 7, (n % 11) + 3] : [n];
          const killed = await run(disk(), plan);
          const what = `deaths at ${plan.join(', ')}`;
          assert.equal(killed.worked, calm.worked, what);
          assert.equal(killed.retried, calm.retried, what);
          deaths += killed.deaths.count;
        }
      };
      await Promise.all(Array.from({ length: AT_ONCE }, dying));
      console.log(`${name}: ${calm.deaths.points} points to die at, ${deaths} deaths`);
      assert.ok(deaths > calm.deaths.points / 2);
    });
  });
