import * as assert from 'uvu/assert';
import type { Json } from '../json.js';
import { suite } from '../suite.js';
import { change, create, cycled, cycles, made, path, pipeline, recipe } from './pipelines.js';
import { airline, custom, openTraining } from './training.js';
import { at, DAY, expected, places, refused, type World } from './world.js';

// When a pipeline is due (specification 2.11, 8; open-parts 9, 32.21): windows by the clock of a place,
// through nights in which clocks change. Readings: a window belongs to the day on which it begins; the
// preview answers times, ten where no count is named.

const ALL = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];
const HOUR = 3_600;

suite('acceptance: schedules of pipelines', test => {
  let world: World;
  test.before(async () => {
    world = await openTraining();
  });
  test.after(() => world.close());

  const schedule = (start_time: string, end_time: string, frequency: number, more: object = {}) => ({
    start_time,
    end_time,
    days: ALL,
    frequency: String(frequency),
    timezone: 'UTC',
    ...more,
  });
  const ask = (training_schedule: unknown, from: unknown = '2026-03-27T12:00:00Z', count: unknown = 4) =>
    world.api.post<Json>('/v1/pipelines/schedule/preview', { training_schedule, from, count });
  const check = async (plan: object, from: string, runs: readonly string[]) => {
    const { data } = expected(await ask(plan, from, runs.length));
    assert.equal(
      data.runs.map((run: string) => run.replace(':00.000Z', 'Z')),
      runs,
    );
  };

  test('once a day where the window is shorter than the frequency', async () => {
    await check(schedule('09:30', '10:00', 20 * HOUR), '2026-03-27T12:00:00Z', [
      '2026-03-28T09:30Z',
      '2026-03-29T09:30Z',
      '2026-03-30T09:30Z',
    ]);
    const { data } = expected(
      await world.api.post<Json>('/v1/pipelines/schedule/preview', {
        training_schedule: schedule('09:30', '10:00', 20 * HOUR),
        from: '2026-03-27T12:00:00Z',
      }),
    );
    assert.is(data.runs.length, 10);
  });

  test('as often as the frequency allows within a window, on the days that are named', async () => {
    await check(schedule('08:00', '10:30', HOUR, { days: ['tuesday', 'saturday'] }), '2026-03-27T12:00:00Z', [
      '2026-03-28T08:00Z',
      '2026-03-28T09:00Z',
      '2026-03-28T10:00Z',
      '2026-03-31T08:00Z',
      '2026-03-31T09:00Z',
      '2026-03-31T10:00Z',
      '2026-04-04T08:00Z',
    ]);
  });

  test('a frequency longer than a day skips windows', async () => {
    await check(schedule('08:00', '09:00', 47 * HOUR), '2026-03-27T12:00:00Z', [
      '2026-03-28T08:00Z',
      '2026-03-30T08:00Z',
      '2026-04-01T08:00Z',
    ]);
  });

  test('a window that ends before it begins goes on past midnight', async () => {
    await check(schedule('22:00', '01:30', HOUR, { days: ['friday'] }), '2026-03-27T12:00:00Z', [
      '2026-03-27T22:00Z',
      '2026-03-27T23:00Z',
      '2026-03-28T00:00Z',
      '2026-03-28T01:00Z',
      '2026-04-03T22:00Z',
    ]);
  });

  test('one that begins when it ends is the whole day', async () => {
    await check(schedule('00:00', '00:00', 6 * HOUR, { days: ['monday'] }), '2026-03-27T12:00:00Z', [
      '2026-03-30T00:00Z',
      '2026-03-30T06:00Z',
      '2026-03-30T12:00Z',
      '2026-03-30T18:00Z',
      '2026-04-06T00:00Z',
    ]);
  });

  test('times are those of the place, summer and winter', async () => {
    const plan = schedule('08:00', '08:30', 20 * HOUR, { timezone: 'America/New_York' });
    await check(plan, '2026-03-06T18:00:00Z', [
      '2026-03-07T13:00Z',
      '2026-03-08T12:00Z',
      '2026-03-09T12:00Z',
    ]);
    await check(
      schedule('06:00', '07:00', 20 * HOUR, { timezone: 'Asia/Kathmandu' }),
      '2026-03-06T18:00:00Z',
      ['2026-03-07T00:15Z', '2026-03-08T00:15Z'],
    );
  });

  test('a time that the clocks pass over is the first valid minute after', async () => {
    await check(
      schedule('02:30', '05:00', 20 * HOUR, { timezone: 'Europe/Berlin' }),
      '2026-03-27T12:00:00Z',
      ['2026-03-28T01:30Z', '2026-03-29T01:00Z', '2026-03-30T00:30Z'],
    );
    await check(
      schedule('02:10', '05:00', 20 * HOUR, { timezone: 'Australia/Lord_Howe' }),
      '2026-10-02T12:00:00Z',
      ['2026-10-02T15:40Z', '2026-10-03T15:30Z', '2026-10-04T15:10Z'],
    );
  });

  test('a time that comes twice is the first of the two', async () => {
    await check(
      schedule('02:30', '05:00', 20 * HOUR, { timezone: 'Europe/Berlin' }),
      '2026-10-23T12:00:00Z',
      ['2026-10-24T00:30Z', '2026-10-25T00:30Z', '2026-10-26T01:30Z'],
    );
  });

  test('a window of the night in which clocks go back is an hour longer', async () => {
    await check(schedule('01:30', '03:15', HOUR, { timezone: 'Europe/Berlin' }), '2026-10-24T12:00:00Z', [
      '2026-10-24T23:30Z',
      '2026-10-25T00:30Z',
      '2026-10-25T01:30Z',
      '2026-10-26T00:30Z',
    ]);
  });

  test('a schedule without days is due never', async () => {
    const { data } = expected(await ask(schedule('09:00', '10:00', HOUR, { days: [] })));
    assert.equal(data.runs, []);
  });

  test('what is no schedule is named', async () => {
    const wrong = async (plan: object, place: string) => {
      const [named] = places(await ask(plan));
      assert.ok(named?.startsWith(`body.training_schedule.${place}`), `${named} instead of ${place}`);
    };
    await wrong(schedule('25:00', '10:00', HOUR), 'start_time');
    await wrong(schedule('09:00', '9 pm', HOUR), 'end_time');
    await wrong(schedule('09:00', '10:00', HOUR, { days: ['Montag'] }), 'days');
    await wrong(schedule('09:00', '10:00', HOUR, { timezone: 'Europe/Atlantis' }), 'timezone');
    await wrong(schedule('09:00', '10:00', 0, { frequency: 'often' }), 'frequency');
    await wrong(schedule('09:00', '10:00', 0, { frequency: '0' }), 'frequency');
    await wrong(schedule('09:00', '10:00', 0, { frequency: '-60' }), 'frequency');
    assert.equal(places(await ask(schedule('09:00', '10:00', HOUR), 'yesterday')), ['body.from']);
    assert.equal(places(await ask(schedule('09:00', '10:00', HOUR), undefined, 0)), ['body.count']);
  });

  test('the pipeline says when it is due, trains then, and not before', async () => {
    const { segment_id } = await airline(world.api);
    const models = [{ model: await custom(world.api, 'drift') }];
    const hour = new Date(world.now() + 3 * 3_600_000).getUTCHours();
    const time = (h: number) => `${String((h + 24) % 24).padStart(2, '0')}:00`;
    const training_schedule = schedule(time(hour), time(hour + 2), 20 * HOUR);
    const body = recipe(segment_id, models, { training_schedule });
    const id = await made(world.api, body);
    const { data } = expected(await ask(training_schedule, at(world.now()), 2));
    const before = await pipeline(world.api, id);
    assert.is(before.next_run_at, data.runs[0]);
    assert.equal(await cycles(world.api, id), [], 'with days set nothing is trained at creation');
    world.later(Date.parse(before.next_run_at) - world.now() + 1_000);
    const cycle = await cycled(world.api, id);
    assert.is(cycle.trigger, 'schedule');
    const after = await pipeline(world.api, id);
    assert.is(after.next_run_at, data.runs[1]);
    world.later(20 * 60_000);
    assert.is((await cycles(world.api, id)).length, 1, 'the frequency is not over');
    expected(await world.api.post<Json>(path(id, '/pause'), {}));
    assert.equal(
      [(await pipeline(world.api, id)).next_run_at, (await pipeline(world.api, id)).status],
      [null, 'paused'],
    );
    refused(await world.api.post<Json>(path(id, '/run'), {}), 409, 'pipeline_paused');
    world.later(3 * DAY + 3 * 3_600_000);
    expected(await world.api.post<Json>(path(id, '/resume'), {}));
    const resumed = await pipeline(world.api, id);
    assert.ok(resumed.next_run_at > at(world.now()), 'missed windows are not made up for');
    expected(await change(world.api, id, { training_schedule: { ...training_schedule, days: [] } }));
    assert.is((await pipeline(world.api, id)).next_run_at, null);
    assert.match(
      places(
        await create(world.api, { ...body, training_schedule: schedule('25:00', '10:00', HOUR) }),
      ).join(),
      'body.training_schedule.start_time',
    );
  });
});
