import { randomUUID } from 'node:crypto';
import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { fileStore } from '../../adapters/file-store.js';
import { memoryKeyValue } from '../../adapters/memory.js';
import { batchesOf, previewOf } from '../../adapters/tables/read-table.js';
import { handler, loader, type Context } from '../../commands/engine/handle.js';
import { eventCommands } from '../../commands/events.js';
import { takeInOf, type TakeIn } from '../../commands/ingestion/importing.js';
import { importCommands, type ImportCommands } from '../../commands/ingestion/imports.js';
import { intakeOf } from '../../commands/ingestion/intake.js';
import type { TableFiles } from '../../commands/ingestion/table-files.js';
import type { EventStore } from '../../commands/ports/event-store.js';
import { signalCommands } from '../../commands/signals.js';
import type { OnDuplicate } from '../../domain/ingestion/imports/mapping.js';
import type { Import } from '../../domain/ingestion/imports/state.js';
import { collectionsOf } from '../../projections/engine/projection.js';
import { signalsProjectionWith } from '../../projections/signals/projection.js';
import { projector, type Projector } from '../../workers/engine/projector.js';
import { temporaryFolder } from '../platform.js';
import { signalQueriesOn } from '../projections/signals-world.js';
import { quiet } from '../projections/world.js';
import { suite } from '../suite.js';
import { audit } from './audit.js';
import { Deaths, embeddedDisk, Killed, memoryDisk, type Disk } from './deaths.js';

const projection = signalsProjectionWith(3);
const AT = 1_800_000_000_000;
const BATCH = 10;
const { signal } = new AbortController();

/** Rows with points, texts of events, faults, and times that are there twice. */
const CONTENT = [
  'time,a,b,note',
  ...Array.from({ length: 48 }, (_, i) => {
    const time = i % 17 === 16 ? 'never' : String(1_700_000_000 + 60 * (i % 40));
    return `${time},${i},${i % 5 === 0 ? 'x' : i % 7},${i % 8 === 0 ? `Note ${i}` : ''}`;
  }),
].join('\n');

/** What takes in a file, in processes that die as planned. */
class Life {
  readonly deaths: Deaths;
  store!: EventStore;
  imports!: ImportCommands;
  takeIn!: TakeIn;
  #projector!: Projector;
  readonly #kv = memoryKeyValue(() => AT);

  constructor(
    readonly disk: Disk,
    readonly folder: string,
    plan: readonly number[],
  ) {
    this.deaths = new Deaths(plan);
  }

  async begin(): Promise<void> {
    this.deaths.begin();
    const { events, models } = this.disk.open(this.deaths.before);
    this.store = this.deaths.events(events);
    const mortal = this.deaths.models(models);
    await models.prepare(collectionsOf(projection, 0));
    const handle = handler(this.store, randomUUID);
    const known = signalQueriesOn(mortal, projection).known;
    this.#projector = projector({
      ...{ store: this.store, models: mortal, log: quiet, projection },
      generationOf: () => 0,
    });
    const tables: TableFiles = {
      preview: previewOf,
      rows: (file, mapping, from) => batchesOf(file, mapping, from, BATCH),
    };
    const files = fileStore(this.folder, null);
    this.imports = importCommands({ handle, load: loader(this.store), files, tables, kv: this.#kv });
    this.takeIn = takeInOf({
      ...{ commands: this.imports, files, tables },
      allowance: { refusal: async () => null, left: async () => null, wrote: () => undefined },
      intake: intakeOf(eventCommands(handle), signalCommands(handle, known)),
      shown: async ({ signals }) => {
        while (signals !== null && !(await this.#projector.caughtUp(signals, 20)))
          if (this.deaths.dead) throw new Killed();
      },
    });
  }

  /** What a patient caller does: asks again, in the next life, until it is done. */
  async done<T>(work: () => Promise<T>): Promise<T> {
    for (;;)
      try {
        return await work();
      } catch (error) {
        if (!(error instanceof Killed)) throw error;
        this.deaths.count++;
        await this.end();
        await this.disk.fail();
        await this.begin();
      }
  }

  end = (): Promise<void> => this.#projector.stop();
}

const context = (): Context => ({
  ...{ workspace: 'w', actor: 'token:t', request: null, correlation: 'c', causation: null, at: AT },
});
type Ended = { readonly end: Import; readonly values: string; readonly life: Life };

async function run(disk: Disk, plan: readonly number[], onDuplicate: OnDuplicate): Promise<Ended> {
  const folder = temporaryFolder();
  const life = new Life(disk, folder.path, []);
  await life.begin();
  try {
    const original = join(folder.path, 'original');
    writeFileSync(original, CONTENT);
    copyFileSync(original, join(folder.path, 'sent'));
    const mapping = { time: 'time', columns: { a: 'a', b: 'b' }, eventText: 'note', onDuplicate } as const;
    const sent = { path: join(folder.path, 'sent'), file: 'a.csv', format: 'csv', mapping } as const;
    const more = { bytes: CONTENT.length, sha256: '', by: 'usr_a' };
    const { importId: id } = await life.imports.upload('w', { ...sent, ...more }, context());
    const { found } = await life.imports.look('w', id, {}, true, signal, context());
    const fit = { format: found.format, mapping: found.mapping! };
    await life.imports.commit('w', id, fit, 'usr_a', context());
    const mortal = new Life(disk, folder.path, plan);
    await life.end();
    await disk.fail();
    await mortal.begin();
    await mortal.done(() => mortal.takeIn('w', id, signal, context));
    const end = await mortal.done(() => mortal.imports.found('w', id));
    mortal.deaths.noMore();
    const { faults, signals } = await mortal.done(() => audit(mortal.store));
    assert.equal(
      faults.filter(fault => !fault.endsWith('has no score')),
      [],
      plan.join(),
    );
    const values = [...signals.get('w')!.signals].map(([key, { points }]) => [
      key,
      [...points].map(([time, { value }]) => [time, value]).sort(([a], [b]) => a! - b!),
    ]);
    const notes = faults.length;
    await mortal.end();
    return { end, values: JSON.stringify([values, notes]), life: mortal };
  } finally {
    await disk.remove();
    folder.remove();
  }
}

const AT_ONCE = 24;

for (const [kind, disk] of [
  ['memory', memoryDisk],
  ['embedded', embeddedDisk],
] as const)
  suite(`imports killed at any write (${kind})`, test => {
    for (const onDuplicate of ['revise', 'skip'] as const)
      test(`end as those that ran undisturbed, what is known ${onDuplicate}`, async () => {
        const calm = await run(disk(), [], onDuplicate);
        assert.equal([calm.end.status, calm.end.read, calm.end.attempts], ['partial', 48, 0]);
        const plans = Array.from({ length: calm.life.deaths.points }, (_, n) =>
          n % 3 === 0 ? [n, n % 7, (n % 11) + 3] : [n],
        );
        let deaths = 0;
        const worker = async (): Promise<void> => {
          for (let plan = plans.shift(); plan; plan = plans.shift()) {
            const killed = await run(disk(), plan, onDuplicate);
            const what = `deaths at ${plan.join(', ')}`;
            assert.is(killed.values, calm.values, what);
            for (const same of ['status', 'read', 'rejected', 'problems', 'error'] as const)
              assert.equal(killed.end[same], calm.end[same], `${what}: ${same}`);
            const counted = ({ accepted, duplicates }: Import): number => accepted + duplicates;
            assert.is(counted(killed.end), counted(calm.end), what);
            deaths += killed.life.deaths.count;
          }
        };
        await Promise.all(Array.from({ length: AT_ONCE }, worker));
        console.log(`${kind}, ${onDuplicate}: ${calm.life.deaths.points} points to die at, ${deaths} deaths`);
        assert.ok(deaths >= calm.life.deaths.points);
      });
  });
