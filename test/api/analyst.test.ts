import * as assert from 'uvu/assert';
import { factAt, type StoredFact } from '../../domain/analyst/fact.js';
import { unfounded } from '../domain/analyst/numbers.js';
import type { Json } from '../json.js';
import { peopleOf } from '../people.js';
import { startPlatform, temporaryFolder, until, type Running } from '../platform.js';
import { suite } from '../suite.js';
import { clientOf, type Client } from './client.js';
import { activeGoal, forecastsOf, goalSettings } from './forecasts-world.js';
import { validated } from './scenarios-world.js';
import { HOUR_S, hours, isoOf, push, START_S } from './segments-world.js';

const LENGTH = 120;
const value = (i: number): number => 40 + 5 * Math.sin((i * Math.PI) / 12) + (i % 7) / 3;
const QUESTIONS = [
  ...['Why did the forecast change?', 'What happens next?', 'What if there were more news?'],
  ...['How accurate are the forecasts?', 'What drives this goal?', 'What effect has an event of news?'],
  ...['Compare the last two forecasts', 'Are there gaps in the data?', 'What is the capital of France?'],
];

suite('the analyst over HTTP', test => {
  const folder = temporaryFolder();
  let now = (START_S + LENGTH * HOUR_S) * 1_000 + 60_000;
  let api: Running;
  let client: Client;
  let goalId: string;
  let edgeId: string;
  const path = (below: string, id = goalId) => `/v1/goals/${id}${below}`;
  const data = async (at: string): Promise<Json> => (await client.get<Json>(at)).body.data;
  const ask = async (question: string, more: object = {}, id = goalId): Promise<Json> => {
    const { status, body } = await client.post<Json>(path('/analyst/ask', id), { question, ...more });
    assert.is(status, 200, JSON.stringify(body));
    return body.data;
  };
  /** What the API shows of a fact's thing; of some kinds there is no page that shows just this. */
  async function stands(fact: StoredFact): Promise<void> {
    const places = {
      goal: path('', fact.id),
      forecast: path(`/forecasts/${fact.id}`),
      tournament: path(`/tournaments/${fact.id}`),
      discovery: path(`/discovery/${fact.id}`),
      edge: path(`/edges/${fact.id}`),
    };
    const place = places[fact.kind as keyof typeof places];
    if (place === undefined) return;
    const shown = await data(place);
    assert.is(factAt({ kind: fact.kind, id: fact.id, shown }, fact.field)?.value, fact.value, fact.field);
  }
  const founded = async (text: string, facts: StoredFact[]): Promise<void> => {
    assert.equal(unfounded(text, facts), [], text);
    for (const fact of facts) await stands(fact);
  };

  test.before(async () => {
    const env = { SERVING_THREADS: '1', COMPUTE_WORKERS: '1' };
    api = await startPlatform(folder.path, { clock: () => now, env });
    const description = (await api.call('GET', '/openapi/v1.json')).json;
    client = clientOf(api.base, description, {
      ...{ token: api.installed.token, workspace: api.installed.workspaceId },
    });
    await push(api, 'sales', hours(LENGTH, value));
    const event = { key: 'news', text: 'Rates were cut', occurred_at: isoOf(START_S) };
    assert.is((await api.call('POST', '/v1/event/record', { body: event })).status, 200);
    goalId = await activeGoal(api, goalSettings());
    await forecastsOf(api, goalId, 1);
    edgeId = await validated(api, goalId, 'event_stream', 'news');
    await push(api, 'sales', hours(1, value, LENGTH));
    now += HOUR_S * 1_000;
    await forecastsOf(api, goalId, 2);
    const graded = async () => (await data(path(''))).accuracy.value_30d !== null;
    await until(graded, 'the first grade');
  });
  test.after(async () => {
    client.close();
    await api.stop();
    folder.remove();
  });

  test('a brief rests on facts that the API shows, in every state of a goal', async () => {
    const brief = await data(path('/analyst/brief'));
    assert.equal(
      brief.sections.map(({ title }: Json) => title),
      ['What changed', 'Why', 'What next', 'How sure', 'What to do'],
    );
    const all = brief.sections.flatMap(({ facts }: Json) => facts);
    await founded(brief.headline, all);
    for (const { text, facts } of brief.sections) await founded(text, facts);
    assert.ok(all.some((fact: StoredFact) => fact.field === 'accuracy.value_30d'));
    const { graded_steps: graded } = (await data(path('/accuracy'))) as Json;
    assert.is((await data(path(''))).accuracy.graded_steps, graded);
    const { answer, confidence } = await ask('How accurate are the forecasts?');
    assert.match(answer, `That is of ${graded} graded step`);
    assert.is(confidence, 'low');
    const body = { name: 'Zone 7', target: 'sales', horizon: 3, step_s: HOUR_S };
    const draft = (await client.post<Json>('/v1/goals', body)).body.data.goal_id as string;
    const ofDraft = await data(path('/analyst/brief', draft));
    assert.match(ofDraft.headline, 'Zone 7 is draft');
    for (const { text, facts } of ofDraft.sections) await founded(text, facts);
    for (const question of QUESTIONS) {
      const { answer, facts, suggested_calls } = await ask(question, {}, draft);
      await founded(answer, facts);
      await called(suggested_calls);
    }
  });

  const called = async (calls: Json[]): Promise<void> => {
    for (const { method, path: at, body } of calls) {
      const answer = await client.send<Json>({ method, path: at, ...(body && { body }) });
      assert.ok(answer.status >= 200 && answer.status < 300, `${method} ${at}: ${answer.text}`);
    }
  };

  test('questions are answered, the same each time, and what is suggested can be called', async () => {
    const intents: string[] = [];
    for (const question of QUESTIONS) {
      const found = await ask(question);
      intents.push(found.intent);
      await founded(found.answer, found.facts);
      await called(found.suggested_calls);
      const again = await ask(question);
      assert.equal([again.answer, again.facts], [found.answer, found.facts]);
    }
    assert.equal(intents, [
      ...['why_changed', 'what_next', 'what_if', 'accuracy', 'drivers', 'event_effect'],
      ...['compare', 'data_quality', 'unknown'],
    ]);
    const drivers = await ask('What drives this goal?');
    assert.match(drivers.answer, 'news');
    assert.equal([drivers.confidence, drivers.facts[0].id], ['high', edgeId]);
    const { answers, total } = await data(path('/analyst/answers?per_page=2'));
    assert.is(answers[0].answer_id, drivers.answer_id);
    assert.ok(total > QUESTIONS.length);
  });

  test('as of a time before, it knows what was known then', async () => {
    const [first] = (await data(path('/forecasts'))).forecasts.slice(-1);
    const then = await ask('What happens next?', { as_of: first.issued_at });
    assert.ok(then.facts.every((fact: StoredFact) => fact.id === first.forecast_id));
    await founded(then.answer, then.facts);
    assert.is(then.as_of, first.issued_at);
    const sure = await ask('How accurate are the forecasts?', { as_of: first.issued_at });
    assert.match(sure.answer, 'not known');
    const before = { question: 'What happens next?', as_of: isoOf(START_S) };
    assert.is((await client.post(path('/analyst/ask'), before)).status, 404);
  });

  test('what is wrong is refused; an analyst may ask, a viewer reads', async () => {
    for (const [body, place] of [
      [{ question: '' }, 'question'],
      [{ question: 'What next?', as_of: 'then' }, 'as_of'],
      [{ question: 'What next?', asof: isoOf(START_S) }, 'asof'],
    ] as const) {
      const answer = await client.post<Json>(path('/analyst/ask'), body);
      assert.equal([answer.status, answer.body.detail[0].loc], [422, ['body', place]]);
    }
    const later = isoOf(Math.floor(api.platform.clock() / 1_000) + 60);
    const future = { question: 'What next?', as_of: later };
    assert.is((await client.post(path('/analyst/ask'), future)).status, 422);
    assert.is((await client.get(path(`/analyst/brief?as_of=${later}`))).status, 422);
    assert.is((await client.get(path('/analyst/brief', 'goa_none'))).status, 404);
    const people = peopleOf(api.platform);
    const workspace = api.installed.workspaceId;
    for (const [role, status] of [
      ['viewer', 403],
      ['analyst', 200],
    ] as const) {
      const { uid, token } = await people.person(`${role}@example.org`);
      await people.join('workspace', workspace, uid, role);
      const other = client.as({ token, workspace });
      assert.is((await other.post(path('/analyst/ask'), { question: 'What next?' })).status, status);
      assert.is((await other.get(path('/analyst/answers'))).status, 200);
    }
  });
});
