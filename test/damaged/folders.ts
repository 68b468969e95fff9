import { cpSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import Libsql from 'libsql';
import type { Installed } from '../../commands/installation.js';
import { startPlatform, until, type Running } from '../platform.js';
import { peopleOf } from '../people.js';

/** Data folders of every kind that a test damages; each is left as it was made. */
export type Folders = {
  /** Stopped in order. */
  readonly whole: string;
  /** Taken while it ran, as a kill leaves it: with what SQLite had not yet moved into its files. */
  readonly killed: string;
  /** The same installation, an hour of work earlier. */
  readonly older: string;
  /** Another installation. */
  readonly other: string;
  /** Who asks. */
  readonly who: Pick<Installed, 'token' | 'workspaceId' | 'organizationId'>;
};

/** Works on a platform for a while, and copies its folder now and then. `root` is the caller's to remove. */
export async function makeFolders(root: string): Promise<Folders> {
  const at = (name: string) => join(root, name);
  const live = at('live');
  const copy = (name: string) => cpSync(live, at(name), { recursive: true });
  mkdirSync(root, { recursive: true });

  const first = await startPlatform(live);
  const { installed } = first;
  await work(first, 'early', 30);
  await first.stop();
  copy('older');

  const second = await startPlatform(live, { installed });
  await work(second, 'late', 30);
  await written(second, live);
  copy('killed');
  await second.stop();
  copy('whole');

  const stranger = await startPlatform(at('other'));
  await work(stranger, 'strange', 50);
  await stranger.stop();
  return { whole: at('whole'), killed: at('killed'), older: at('older'), other: at('other'), who: installed };
}

/** Read models are written a moment later; until then nobody else knows the newest facts. */
async function written({ platform }: Running, folder: string): Promise<void> {
  const head = await platform.stores.events.head();
  const db = new Libsql(join(folder, 'models.db'));
  const places = db.prepare("SELECT position FROM _checkpoints WHERE projection NOT GLOB 'log_*'").raw();
  await until(async () => (places.all() as [number][]).every(([place]) => place >= head), 'the read models');
  db.close();
}

/** Events, points, people: something in each journal and each collection. */
async function work({ platform, call, installed }: Running, name: string, count: number): Promise<void> {
  const people = peopleOf(platform);
  const person = await people.person(`${name}@example.org`);
  await people.join('workspace', installed.workspaceId, person.uid, 'viewer');
  for (let i = 0; i < count; i++) {
    const text = `${name}: storm ${i} closes the port of ${'Lisbon Genoa Piraeus'.split(' ')[i % 3]}`;
    const key = `${name}.news.${i % 2}`;
    await expectOk(call('POST', '/v1/event/record', { body: { key, text, occurred_at: 1_770_000_000 + i } }));
  }
  const values = Array.from({ length: 400 }, (_, i) => [1_770_000_000_000 + i * 60_000, i * i] as const);
  await expectOk(call('POST', '/v1/signal/push', { body: { key: `${name}.orders`, values } }));
  await expectOk(
    call('POST', '/v1/signal/push', { body: { key: `${name}.orders`, values: values.slice(3, 9) } }),
  );
  await until(async () => (await platform.areas.events.backlog()) === 0, 'the scores');
  await platform.visible(await platform.stores.events.head());
}

async function expectOk(answer: ReturnType<Running['call']>): Promise<void> {
  const { status, text } = await answer;
  if (status !== 200) throw new Error(`${status}: ${text}`);
}
