import { randomUUID } from 'node:crypto';
import * as assert from 'uvu/assert';
import type { EventStore } from '../../commands/ports/event-store.js';
import { handler, type Context } from '../../commands/engine/handle.js';
import { signalCommands, type SignalCommands } from '../../commands/signals.js';
import { Rejected } from '../../domain/rejected.js';
import { EARLIEST, LATEST } from '../../domain/time.js';
import { collectionsOf } from '../../projections/engine/projection.js';
import type { ReadModels } from '../../projections/engine/read-models.js';
import { signalsProjectionWith } from '../../projections/signals/projection.js';
import { projector, type Projector } from '../../workers/engine/projector.js';
import { NaiveSignals } from '../projections/naive-signals.js';
import {
  aPush,
  factsOf,
  replayed,
  sameSignals,
  signalQueriesOn,
  textOf,
} from '../projections/signals-world.js';
import { quiet } from '../projections/world.js';
import { suite } from '../suite.js';
import { Deaths, embeddedDisk, Killed, memoryDisk, type Disk } from './deaths.js';

const projection = signalsProjectionWith(3);
const START = 1_800_000_000_000;

/** Commands and the projector of signals in processes that die as planned. */
class Life {
  readonly deaths: Deaths;
  store!: EventStore;
  models!: ReadModels;
  commands!: SignalCommands;
  #projector!: Projector;

  constructor(
    readonly disk: Disk,
    plan: readonly number[],
  ) {
    this.deaths = new Deaths(plan);
  }

  async begin(): Promise<void> {
    this.deaths.begin();
    const { events, models } = this.disk.open(this.deaths.before);
    [this.store, this.models] = [this.deaths.events(events), this.deaths.models(models)];
    await models.prepare(collectionsOf(projection, 0));
    this.commands = signalCommands(
      handler(this.store, randomUUID),
      signalQueriesOn(this.models, projection).known,
    );
    this.#projector = projector({
      store: this.store,
      models: this.models,
      log: quiet,
      projection,
      generationOf: () => 0,
    });
  }

  /** Buries a dead process and starts the next one. */
  async again(): Promise<void> {
    this.deaths.count++;
    await this.#projector.stop();
    await this.disk.fail();
    await this.begin();
  }

  async settled(): Promise<void> {
    while (!(await this.#projector.caughtUp(await this.store.head(), 20)))
      if (this.deaths.dead) throw new Killed();
  }

  end(): Promise<void> {
    return this.#projector.stop();
  }
}

type Step = {
  readonly run: (life: Life, context: Context) => Promise<unknown>;
  readonly naive: (model: NaiveSignals, at: number) => void;
};
const push = (key: string, ...pairs: [number, number][]): Step => ({
  run: ({ commands }, context) => commands.push('w', [aPush(key, pairs, 'EUR')], context),
  naive: (model, at) => {
    model.push(key, pairs, 'EUR', at);
  },
});
const name = (key: string, text: string): Step => ({
  run: ({ commands }, context) => commands.name('w', key, text, context),
  naive: model => {
    model.label(key, 'name', text);
  },
});
const remove = (key: string): Step => ({
  run: ({ commands }, context) => commands.delete('w', key, context),
  naive: model => {
    model.delete(key);
  },
});
const settled: Step = { run: life => life.settled(), naive: () => {} };

/**
 * Growing, filling up, revised, named, deleted, and begun again, with and without the read models behind it.
 */
const steps: readonly Step[] = [
  push('a', [10, 1], [20, 2], [30, 3], [40, 4], [50, 5]),
  push('b', [1, 1]),
  settled,
  push('a', [15, 1], [16, 2], [17, 3], [18, 4]),
  push('a', [20, 7], [60, 6]),
  push('b', [1, 1], [2, 2]),
  settled,
  name('a', 'A'),
  push('a', [5, 0], [6, 0], [20, 8], [20, 9]),
  push('a', [70, 7], [71, 7], [72, 7], [73, 7]),
  settled,
  remove('a'),
  push('b', [2, 3]),
  push('a', [20, 1], [30, 1]),
  settled,
  push('a', [10, 2], [20, 2], [25, 2], [26, 2], [27, 2]),
  remove('b'),
  name('a', 'B'),
  settled,
  push('b', [7, 7]),
  remove('b'),
  push('b', [7, 8]),
  settled,
];

/** What a patient client does: it asks again, in the next life, until it has an answer. */
async function play(life: Life): Promise<NaiveSignals> {
  const naive = new NaiveSignals();
  for (const [n, { run, naive: known }] of steps.entries()) {
    const at = START + n;
    known(naive, at);
    for (let tries = 0; ; tries++) {
      try {
        await run(life, {
          workspace: 'w',
          actor: 'token:t',
          request: null,
          correlation: 'c',
          causation: null,
          at,
        });
        break;
      } catch (error) {
        if (error instanceof Rejected && error.kind === 'missing' && tries > 0) break;
        if (!(error instanceof Killed)) throw error;
        await life.again();
      }
    }
  }
  return naive;
}

async function run(disk: Disk, plan: readonly number[], what: string) {
  const life = new Life(disk, plan);
  await life.begin();
  try {
    const naive = await play(life);
    const facts = await factsOf(life.store, Infinity);
    assert.equal(facts.get('w')!.signals, naive.signals, `${what}: what the facts say`);
    await sameSignals(
      signalQueriesOn(life.models, projection),
      'w',
      naive,
      ['a', 'b'],
      [
        [EARLIEST, LATEST, 100],
        [6, 30, 4],
      ],
    );
    const stored = await textOf(life.models, projection);
    assert.is(stored, await replayed({ store: life.store, projection }, 100), `${what}: against a replay`);
    return { stored, deaths: life.deaths };
  } finally {
    await life.end();
    await disk.remove();
  }
}

const AT_ONCE = 24;

for (const [kind, disk] of [
  ['memory', memoryDisk],
  ['embedded', embeddedDisk],
] as const)
  suite(`pushes killed at any write (${kind})`, test => {
    test('end as those that ran undisturbed, every point there once', async () => {
      const calm = await run(disk(), [], 'no deaths');
      assert.is(calm.deaths.count, 0);
      const plans = Array.from({ length: calm.deaths.points }, (_, n) =>
        n % 3 === 0 ? [n, n % 7, (n % 11) + 3] : [n],
      );
      let runs = 0;
      let deaths = 0;
      const worker = async (): Promise<void> => {
        for (let plan = plans.shift(); plan; plan = plans.shift()) {
          const what = `deaths at ${plan.join(', ')}`;
          const killed = await run(disk(), plan, what);
          assert.is(killed.stored, calm.stored, what);
          runs++;
          deaths += killed.deaths.count;
        }
      };
      await Promise.all(Array.from({ length: AT_ONCE }, worker));
      console.log(`${kind}: ${calm.deaths.points} points to die at; ${runs} runs, ${deaths} deaths`);
      assert.ok(deaths > calm.deaths.points);
    });
  });
