import * as assert from 'uvu/assert';
import type { Installed } from '../../commands/installation.js';
import { startPlatform, temporaryFolder, until, type Running } from '../platform.js';
import { suite } from '../suite.js';
import { audit, pagesOf } from './audit.js';

const NOW = 1_800_000_000_000;
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** A platform that is started and stopped again and again over one folder, by a clock that tests move. */
function world() {
  const folder = temporaryFolder();
  const clock = { now: NOW };
  let running: Running | null = null;
  let installed: Installed | undefined;
  const api = (): Running => running!;
  return {
    clock,
    api,
    async start() {
      running = await startPlatform(folder.path, { clock: () => clock.now, ...(installed && { installed }) });
      installed = running.installed;
    },
    async stop() {
      await running!.stop();
      running = null;
    },
    async end() {
      if (running) await running.stop();
      folder.remove();
    },
    async record(text: string, occurred_at: number): Promise<string> {
      const answer = await api().call('POST', '/v1/event/record', {
        body: { key: 'timed', text, occurred_at },
      });
      assert.is(answer.status, 200, answer.text);
      return answer.json.data.event_id as string;
    },
    event: async (id: string) => (await api().call('GET', `/v1/event/${id}`)).json.data,
    /** How often each event came due, by the log. */
    async firings(): Promise<Map<string, number>> {
      const times = new Map<string, number>();
      for await (const { type, data } of pagesOf(api().platform.stores.events)) {
        const { eventId } = data as { eventId: string };
        if (type === 'EventCameDue') times.set(eventId, (times.get(eventId) ?? 0) + 1);
      }
      return times;
    },
  };
}
type World = ReturnType<typeof world>;

const fired = (of: World, id: string) =>
  until(async () => (await of.event(id)).fired_at !== null, `${id} coming due`);
/** Two rounds of the scheduler and more: long enough for it to do what it must not do. */
const rounds = () => new Promise(resolve => setTimeout(resolve, 700));

suite('scheduled events, restarts and clocks', test => {
  let w: World;
  test.before.each(async () => {
    w = world();
    await w.start();
  });
  test.after.each(() => w.end());

  test('an event whose time passes while no process runs fires at the start, once', async () => {
    const soon = await w.record('Soon', NOW + MINUTE);
    const later = await w.record('Later', NOW + HOUR);
    assert.equal([(await w.event(soon)).scheduled, (await w.event(soon)).fired_at], [true, null]);
    await w.stop();
    w.clock.now += 2 * MINUTE;
    await w.start();
    await fired(w, soon);
    const { scheduled, fired_at, shape } = await w.event(soon);
    assert.equal([scheduled, fired_at, shape], [false, NOW + 2 * MINUTE, 'scheduled']);
    assert.equal([(await w.event(later)).scheduled, (await w.event(later)).fired_at], [true, null]);
    for (let i = 0; i < 2; i++) {
      await w.stop();
      await w.start();
      await rounds();
    }
    assert.equal([...(await w.firings())], [[soon, 1]]);
  });

  test('a clock that steps back and forth fires once, at the first time', async () => {
    const id = await w.record('Once', NOW + MINUTE);
    w.clock.now = NOW + 2 * MINUTE;
    await fired(w, id);
    for (const step of [-HOUR, 0, HOUR, -MINUTE, 3 * HOUR]) {
      w.clock.now = NOW + MINUTE + step;
      await rounds();
    }
    assert.is((await w.event(id)).fired_at, NOW + 2 * MINUTE);
    await w.stop();
    w.clock.now = NOW - HOUR;
    await w.start();
    assert.is((await w.event(id)).scheduled, true, 'told by the clock of the reader');
    await rounds();
    w.clock.now = NOW + HOUR;
    await rounds();
    assert.equal([...(await w.firings())], [[id, 1]]);
    assert.equal(
      (await audit(w.api().platform.stores.events)).faults.filter(fault => !fault.includes('score')),
      [],
    );
  });

  test('a clock that steps back before the time holds it until then', async () => {
    const id = await w.record('Held', NOW + MINUTE);
    w.clock.now = NOW - HOUR;
    await rounds();
    assert.is((await w.event(id)).fired_at, null);
    assert.is((await w.api().call('GET', '/v1/event/upcoming')).json.data.total, 1);
    w.clock.now = NOW + MINUTE - 1;
    await rounds();
    assert.is((await w.firings()).size, 0);
    w.clock.now++;
    await fired(w, id);
    assert.is((await w.event(id)).fired_at, NOW + MINUTE);
  });

  test('2,000 events of the same moment all fire once, over a restart in the midst of it', async () => {
    const ids: string[] = [];
    const MANY = 2_000;
    for (let from = 0; from < MANY; from += 500) {
      const occurred_at = NOW + MINUTE;
      const events = Array.from({ length: 500 }, (_, n) => ({
        key: `many ${n % 3}`,
        text: `Event ${from + n}`,
        occurred_at,
      }));
      const answer = await w.api().call('POST', '/v1/event/record-batch', { body: { events } });
      assert.is(answer.status, 201, answer.text);
      ids.push(...answer.json.data.events.map((e: { event_id: string }) => e.event_id));
    }
    assert.is(new Set(ids).size, MANY);
    w.clock.now += MINUTE;
    await until(async () => (await w.firings()).size > 100, 'the first hundred');
    await w.stop();
    await w.start();
    await until(async () => (await w.firings()).size === MANY, 'all of them');
    await rounds();
    const times = await w.firings();
    assert.equal(
      ids.filter(id => times.get(id) !== 1),
      [],
    );
    assert.is((await w.api().call('GET', '/v1/event/upcoming?within_hours=9600')).json.data.total, 0);
  });

  test('moved after it fired it fires again, moved before it fires once, taken back never', async () => {
    const again = await w.record('Again', NOW + MINUTE);
    const earlier = await w.record('Earlier', NOW + HOUR);
    const gone = await w.record('Gone', NOW + MINUTE);
    const move = (id: string, occurred_at: number) =>
      w.api().call('PATCH', `/v1/event/${id}`, { body: { occurred_at } });
    await move(earlier, NOW + MINUTE);
    await w.api().call('DELETE', `/v1/event/${gone}`);
    w.clock.now = NOW + MINUTE;
    await fired(w, again);
    await fired(w, earlier);
    await move(again, NOW + 2 * MINUTE);
    assert.is((await w.event(again)).fired_at, null);
    await w.stop();
    w.clock.now = NOW + 3 * HOUR;
    await w.start();
    await fired(w, again);
    await rounds();
    assert.equal(Object.fromEntries(await w.firings()), { [again]: 2, [earlier]: 1 });
  });
});
