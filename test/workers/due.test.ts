import { randomUUID } from 'node:crypto';
import * as assert from 'uvu/assert';
import { handler, type Handle } from '../../commands/engine/handle.js';
import { DAY } from '../../domain/time.js';
import { dueScheduler } from '../../workers/due.js';
import { until } from '../platform.js';
import { world } from '../projections/world.js';
import { suite } from '../suite.js';

const BROKEN = 520;
const FINE = 30;

/** Scheduled events whose time has come, the broken ones first, and a way to hold the others. */
async function stand() {
  const w = await world();
  for (let i = 0; i < BROKEN + FINE; i++) {
    const text = `${i < BROKEN ? 'broken' : 'fine'} ${i}`;
    const submission = { key: 'news', text, occurredAt: w.clock.now + 1_000 + i, details: {} };
    await w.commands.record('w', submission, w.context('w'));
  }
  await w.project(1_000);
  const { due } = await w.queries.due(w.clock.now + DAY, 1_000);
  const broken = new Set(due.slice(0, BROKEN).map(({ event_id: id }) => id));
  w.clock.now += DAY;
  const marking = handler(w.store, randomUUID);
  const seen = { running: 0, most: 0, failures: 0, logged: [] as { events?: number }[] };
  const gate = { open: Promise.resolve() };
  const handle: Handle = async (decider, command, context) => {
    seen.running++;
    seen.most = Math.max(seen.most, seen.running);
    try {
      if (broken.has((command as { data: { eventId: string } }).data.eventId)) {
        seen.failures++;
        throw new Error('broken');
      }
      await gate.open;
      return await marking(decider, command, context);
    } finally {
      seen.running--;
    }
  };
  const start = () =>
    dueScheduler({
      ...{ queries: w.queries, handle, newId: randomUUID, clock: () => w.clock.now },
      visible: () => w.project(),
      log: { info() {}, warn() {}, error: (data: object) => seen.logged.push(data) },
    });
  const marked = async () =>
    (await w.store.page(-1, 100_000)).filter(({ type }) => type === 'EventCameDue').length;
  return { seen, gate, start, marked };
}

suite('scheduled events that come due', test => {
  test('those that cannot be marked hold up no others, and rest between attempts', async () => {
    const w = await stand();
    const scheduler = w.start();
    await until(async () => (await w.marked()) === FINE, 'the others');
    await until(async () => w.seen.failures >= 3 * BROKEN, 'tried again');
    await scheduler.stop();
    const told = w.seen.logged.reduce((sum, { events = 0 }) => sum + events, 0);
    assert.is(told, w.seen.failures);
    assert.ok(w.seen.logged.length < told / 3, 'one line for all of a round');
    assert.ok(w.seen.most <= 16, `${w.seen.most} at once`);
  });

  test('never more are marked at once than may be, and stop waits for them', async () => {
    const w = await stand();
    let open = () => {};
    w.gate.open = new Promise<void>(resolve => (open = resolve));
    const scheduler = w.start();
    await until(async () => w.seen.running === 16, 'sixteen at once');
    const failures = w.seen.failures;
    // Time for what must not happen: another round beside this one
    await new Promise(resolve => setTimeout(resolve, 600));
    assert.equal([w.seen.most, w.seen.failures], [16, failures]);
    const stopped = scheduler.stop().then(() => w.seen.running);
    open();
    assert.is(await stopped, 0);
    assert.is(await w.marked(), 16);
  });
});
