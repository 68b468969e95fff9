import { randomUUID } from 'node:crypto';
import * as assert from 'uvu/assert';
import { memoryEventStore } from '../../adapters/memory.js';
import { handler, loader } from '../../commands/engine/handle.js';
import { cyclesOf, type CycleDeps } from '../../commands/pipelines/cycles.js';
import { pipelineCommands } from '../../commands/pipelines/records.js';
import { trainingCommands } from '../../commands/trainings/records.js';
import type { Resolved } from '../../commands/trainings/resolving.js';
import { pipelines } from '../../domain/pipelines/decider.js';
import { trainingJournalId, trainings } from '../../domain/trainings/decider.js';
import { cycleEntry, NOW, of, settings, start } from '../domain/pipelines/given.js';
import { queuedData } from '../domain/trainings-given.js';
import { suite } from '../suite.js';

const context = {
  ...{ workspace: of.workspace, actor: 'reactor:cycles', request: null },
  ...{ correlation: 'c', causation: null, at: NOW },
};
const IDS = ['trn_000000000000000a', 'trn_000000000000000b'];
const { blueprint, intensity, lookback, what, horizon, price } = queuedData;
const model = { blueprint, intensity, lookback, what, horizon } as Resolved;
class Killed extends Error {}

/** A cycle is asked for, and its pipeline is deleted before the step of that number, counted from 0. */
async function deletedAt(at: number, isKilled: boolean) {
  const store = memoryEventStore();
  const [handle, load] = [handler(store, randomUUID), loader(store)];
  const commands = pipelineCommands({ handle, load });
  let step = 0;
  let mayDie = isKilled;
  /** Between any two steps others go on. */
  async function passes(): Promise<void> {
    if (step++ !== at) return;
    const { facts } = await commands.remove(of, null, context);
    for (const { type, data } of facts)
      if (type === 'PipelineDeleted') await cycles.drop(of.workspace, data.trainings, context);
  }
  /** After a step the process may die. */
  function dies(): void {
    if (mayDie && step > at) {
      mayDie = false;
      throw new Killed();
    }
  }
  const paid = new Map<string, string>();
  const credits = {
    priceOf: () => price,
    async hold(_: string, { reference }: { reference: { id: string } }) {
      await passes();
      paid.set(reference.id, 'held');
    },
    charge: (_: string, { id }: { id: string }) => void paid.set(id, 'charged'),
    release: (_: string, { id }: { id: string }) => void paid.set(id, 'released'),
  };
  const training = trainingCommands({ handle, load, credits: credits as never });
  const cycles = cyclesOf({
    commands,
    trainings: {
      ...training,
      async queue(...given) {
        const queued = await training.queue(...given);
        await passes();
        dies();
        return queued;
      },
    },
    segments: { rebuild: passes as never },
    resolve: () => passes().then(() => model),
    credits,
  } as Pick<CycleDeps, 'commands' | 'trainings' | 'segments' | 'resolve' | 'credits'> as CycleDeps);
  const create = {
    type: 'CreatePipeline',
    data: { ...of, settings: settings(), owner: 'usr_1', rowsSeen: 0 },
  } as const;
  const entries = IDS.map((trainingId, i) => cycleEntry(i, { trainingId }));
  await handle(pipelines, create, context);
  const { facts } = await handle(pipelines, start({ entries }), context);
  const started = facts.find(({ type }) => type === 'CycleStarted')!.data as Parameters<typeof cycles.ask>[1];
  const ask = () => cycles.ask(of, started, context);
  await ask().catch((error: unknown) => {
    assert.instance(error, Killed);
    return ask();
  });
  const ends = await Promise.all(
    IDS.map(async id => {
      const { status } = await load(trainings, trainingJournalId(of.workspace, id));
      return [status, paid.get(id) ?? 'nothing'].join(', ');
    }),
  );
  return { ends, steps: step };
}

suite('a pipeline that is deleted while its cycle is asked for', test => {
  test('leaves no training that waits, and none that is paid for, at whichever step', async () => {
    const { ends, steps } = await deletedAt(Infinity, false);
    assert.equal(ends, ['queued, held', 'queued, held']);
    assert.is(steps, 1 + 2 * 3);
    for (const isKilled of [false, true])
      for (let at = 0; at < steps; at++)
        for (const end of (await deletedAt(at, isKilled)).ends)
          assert.ok(['none, nothing', 'cancelled, released'].includes(end), `at ${at}: ${end}`);
  });
});
