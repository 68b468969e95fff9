import * as assert from 'uvu/assert';
import { loader } from '../../commands/engine/handle.js';
import { neutralScores } from '../../domain/events/numeric.js';
import type { Scorer } from '../../domain/events/scoring.js';
import { eventsProjection } from '../../projections/events/projection.js';
import { verify } from '../../workers/engine/verify.js';
import { rescoring } from '../../workers/rescoring.js';
import { startPlatform, temporaryFolder, until, type Running } from '../platform.js';
import { suite } from '../suite.js';

const DAY = 86_400_000;
const NOON = Date.UTC(2026, 2, 1, 12);
const STORY = 'Storm cuts power to 40,000 homes along the coast';
const TOLD_AGAIN = 'STORM cuts power to 45,000 homes along the coast!';
const REPEATED = '"Storm cuts power" to 40,000 homes - along the coast';
const OTHER = 'Ministers meet in Lisbon';

suite('novelty of events', test => {
  const folder = temporaryFolder();
  let api: Running;
  test.before(async () => {
    api = await startPlatform(folder.path);
  });
  test.after(async () => {
    await api.stop();
    folder.remove();
  });

  const submit = async (key: string, text: string, occurred_at: number | string = NOON) => {
    const answer = await api.call('POST', '/v1/event/record', { body: { key, text, occurred_at } });
    assert.is(answer.status, 200, answer.text);
    return answer.json.data.event_id as string;
  };
  const scoresOf = async (id: string) => {
    const { data } = await until(async () => {
      const { json } = await api.call('GET', `/v1/event/${id}`);
      return json.data.status === 'scored' && json;
    }, `a score of ${id}`);
    return data.scores as { novelty: number | null; rank: number };
  };
  const noveltyOf = async (id: string) => (await scoresOf(id)).novelty;
  const novelties = (ids: readonly string[]) => Promise.all(ids.map(noveltyOf));
  const allScored = () =>
    until(async () => (await api.platform.areas.events.queries.totals()).pending === 0, 'all scores');

  test('the same story again, with a small change, has little; a repetition none', async () => {
    const ids: string[] = [];
    for (const [i, text] of [STORY, TOLD_AGAIN, REPEATED, OTHER].entries())
      ids.push(await submit('news', text, NOON + i));
    // Of nine pairs of words two name another number
    assert.equal(await novelties(ids), [1, 0.2222, 0, 1]);
    const { events } = (await api.call('GET', '/v1/event/streams/news/events')).json.data;
    assert.equal(
      events.map((event: { scores: { novelty: number } }) => event.scores.novelty),
      [1, 0, 0.2222, 1],
    );
  });

  test('is measured in one stream, over seven days, against what occurred before', async () => {
    await submit('elsewhere', STORY);
    const within = await submit('elsewhere', TOLD_AGAIN, NOON + 7 * DAY);
    const beyond = await submit('elsewhere', REPEATED, NOON + 15 * DAY);
    const otherStream = await submit('elsewhere too', STORY);
    const before = await submit('elsewhere', STORY, NOON - 2 * DAY);
    assert.equal(await novelties([within, beyond, otherStream, before]), [0.2222, 1, 1, 1]);
  });

  test('does not move rank, and is null for numeric content and while an event waits', async () => {
    const [first, again] = [await submit('ranks', STORY), await submit('ranks', STORY, NOON + 1)];
    const { novelty, ...scores } = await scoresOf(first);
    assert.equal(await scoresOf(again), { ...scores, novelty: 0 });
    assert.is(novelty, 1);
    assert.is(await noveltyOf(await submit('ranks', '42')), null);
    const upcoming = await submit('ranks', OTHER, Date.now() + DAY);
    const [listed] = (await api.call('GET', '/v1/event/upcoming?streams=ranks')).json.data.events;
    assert.is(listed.event_id, upcoming);
    assert.ok(listed.scores.novelty === (listed.scores.rank === null ? null : 1));
  });

  test('is the same in a batch as one after another, also at one time', async () => {
    const texts = [STORY, TOLD_AGAIN, OTHER, REPEATED, `${OTHER} and Porto`];
    const ids: string[] = [];
    for (const text of texts) ids.push(await submit('one by one', text));
    const events = texts.map(text => ({ key: 'at once', text, occurred_at: NOON }));
    const answer = await api.call('POST', '/v1/event/record-batch', { body: { events } });
    assert.is(answer.json.data.accepted, texts.length);
    const one = await novelties(ids);
    assert.equal(one, [1, 0.2222, 1, 0, 0.4]);
    assert.equal(
      await novelties(answer.json.data.events.map((event: { event_id: string }) => event.event_id)),
      one,
    );
  });

  test('is not told before the read models know what was recorded before', async () => {
    const ids = await api.platform.projectors.of(eventsProjection)!.holding(async () => {
      const submitted = [submit('held', STORY)];
      await new Promise(resolve => setTimeout(resolve, 50));
      submitted.push(submit('held', TOLD_AGAIN, NOON + 1));
      await new Promise(resolve => setTimeout(resolve, 300));
      return submitted;
    });
    assert.equal(await novelties(await Promise.all(ids)), [1, 0.2222]);
  });

  test("where the log stands is nobody's business", async () => {
    const id = await submit('news', STORY);
    await scoresOf(id);
    for (const path of [
      `/v1/event/${id}`,
      `/v1/event/${id}/revisions`,
      '/v1/event/streams/news/events',
      '/v1/event/streams',
    ])
      assert.not.match((await api.call('GET', path)).text, /"position"/);
  });

  test('a restart, a replay and scores of another version leave it as it is', async () => {
    await allScored();
    const keys = ['news', 'elsewhere', 'elsewhere too', 'ranks', 'one by one', 'at once', 'held'];
    const eventsOf = async (key: string) =>
      (await api.call('GET', `/v1/event/streams/${key}/events`)).json.data.events as Told[];
    const told = () => Promise.all(keys.map(eventsOf));
    const before = await told();
    assert.ok(before.flat().length > 20);
    await api.stop();
    api = await startPlatform(folder.path, { installed: api.installed });
    assert.equal(await told(), before);
    assert.equal(await differences(api), []);

    const { platform } = api;
    const { areas, handle } = platform;
    const { queries, profileOf } = areas.events;
    const load = loader(platform.stores.events);
    const contextOf = (workspace: string) => ({
      workspace,
      actor: 'operator',
      request: null,
      correlation: 'c',
      causation: null,
      at: Date.now(),
    });
    const means = {
      queries,
      scorer: anew,
      profileOf,
      handle,
      load,
      contextOf,
      concurrency: 4,
      signal: new AbortController().signal,
      failed: (eventId: string) => assert.unreachable(`${eventId} was not scored`),
    };
    let position: number | null = null;
    for await (const step of rescoring(means)) position = step.position;
    await platform.visible(position);
    assert.equal((await told()).map(noveltiesIn), before.map(noveltiesIn));
    assert.is((await told())[0]![0]!.scores.rank, 7);
  });
});

type Told = { readonly scores: { readonly novelty: number | null; readonly rank: number } };
const noveltiesIn = (events: readonly Told[]) => events.map(({ scores }) => scores.novelty);

/** Another model. */
const anew: Scorer = {
  version: 'anew-1',
  close: async () => {},
  score: async () => ({ version: 'anew-1', reasons: [], scores: { ...neutralScores(), rank: 7 } }),
};

/** Between the documents of events and what the log makes of nothing. */
async function differences({ platform: { stores, generations, projectors } }: Running): Promise<unknown> {
  const run = verify({
    store: stores.events,
    models: stores.models,
    generations,
    projection: eventsProjection,
    projector: projectors.of(eventsProjection),
    graceMs: 0,
    signal: new AbortController().signal,
  });
  for (let step = await run.next(); ; step = await run.next()) if (step.done) return step.value.differences;
}
