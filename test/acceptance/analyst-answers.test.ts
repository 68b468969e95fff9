import * as assert from 'uvu/assert';
import { scopes } from '../../domain/tokens/scopes.js';
import type { Json } from '../json.js';
import { suite } from '../suite.js';
import { at as valueAt, unfounded } from './analyst.js';
import { FIRE, happens } from './discovery.js';
import { forecastNow, goal, HOUR, issued, latest, path, rows } from './goals.js';
import { inShockState, watched, type Watched } from './shock.js';
import { has } from './training.js';
import { at, expected, places, refused, type World } from './world.js';

// A reporter that answers from stored facts alone, and names them (open-parts 18, 25, 32.32). Readings: a
// number of a text stands in the facts of its section or answer, as `value`; a date does in parts; a fact of
// kind `forecast` lies in that forecast under its `field`; what is not understood is `unknown`, with no facts
// to rest on and what can be asked instead; who reads goals may ask.

suite('acceptance: the analyst', test => {
  let here: Watched;
  let world: World;
  let id = '';
  const ask = (question: unknown, more: object = {}, api = world.api) =>
    api.post<Json>(path(id, '/analyst/ask'), { question, ...more });
  const answered = async (question: string): Promise<Json> => expected(await ask(question)).data;
  const founded = (text: string, facts: Json[], what: string) =>
    assert.equal(unfounded(text, facts), [], `${what}: ${text} by ${JSON.stringify(facts)}`);
  /** Facts about forecasts are in them, to the last digit. */
  const holds = async (facts: Json[]) => {
    for (const fact of facts) {
      has(fact, 'kind id field value');
      if (fact.kind !== 'forecast') continue;
      const found = await issued(world.api, id, fact.id);
      assert.equal(valueAt(found, fact.field), fact.value, JSON.stringify(fact));
    }
  };
  test.before(async () => {
    here = await watched();
    ({ world, id } = here);
    world.later(1_000);
    await happens(world.api, 'plant.incidents', FIRE, { occurred_at: world.now() + 3 * HOUR });
    await forecastNow(world.api, id);
    world.later(1_000);
    await happens(world.api, 'plant.incidents', FIRE);
    await inShockState(world.api, id, 'shock');
    await forecastNow(world.api, id);
  });
  test.after(() => world.close());

  test('a brief says what changed, why, what next, how sure, what to do, and by which facts', async () => {
    const { data } = expected(await world.api.get<Json>(path(id, '/analyst/brief')));
    has(data, 'headline sections as_of generated_at');
    assert.ok(data.headline.length > 10);
    assert.ok(data.sections.length >= 5, 'a section for each of the five');
    const all: Json[] = data.sections.flatMap((each: Json) => each.facts);
    founded(data.headline, all, 'the headline');
    for (const { title, text, facts } of data.sections) {
      assert.ok(title.length > 0 && text.length > 0);
      founded(text, facts, title);
      await holds(facts);
    }
    assert.ok(all.length >= 5);
    const text = data.sections.map((each: Json) => each.text).join(' ');
    assert.match(text, 'plant.incidents', 'why: the fire');
    assert.match(JSON.stringify(all), (await latest(world.api, id)).forecast_id);
  });

  test('questions are understood for what they are', async () => {
    const asked: [string, string][] = [
      ['why_changed', 'Why did the forecast change?'],
      ['what_next', 'What happens next?'],
      ['what_if', 'What if there were another incident?'],
      ['accuracy', 'How accurate are the forecasts?'],
      ['drivers', 'What drives this goal?'],
      ['event_effect', 'What is the effect of events of plant.incidents?'],
      ['compare', 'Compare the last two forecasts'],
      ['data_quality', 'How good is the data? Are there gaps?'],
    ];
    for (const [intent, question] of asked) {
      const found = await answered(question);
      has(found, 'answer_id intent answer facts suggested_calls confidence');
      assert.is(found.intent, intent, `${question}: ${found.answer}`);
      assert.ok(['high', 'medium', 'low'].includes(found.confidence));
      assert.ok(found.answer.length > 10);
      founded(found.answer, found.facts, question);
      await holds(found.facts);
    }
  });

  test('answers tell what is known', async () => {
    const drivers = await answered('What drives this goal?');
    assert.match(drivers.answer, 'plant.incidents');
    assert.match(JSON.stringify(drivers.facts), here.edgeId);
    const effect = await answered('What is the effect of events of plant.incidents?');
    assert.match(JSON.stringify(effect.facts), here.edgeId);
    const next = await answered('What happens next?');
    assert.match(JSON.stringify(next.facts), (await latest(world.api, id)).forecast_id);
    const why = await answered('Why did the forecast change?');
    assert.match(why.answer, 'plant.incidents');
  });

  test('what it does not understand it says, with what can be asked, and guesses nothing', async () => {
    for (const question of ['What is the capital of France?', 'qwertz uiop', 'Sing me a song of 42 cats']) {
      const found = await answered(question);
      assert.is(found.intent, 'unknown', question);
      assert.equal([unfounded(found.answer, found.facts), /paris/i.test(found.answer)], [[], false]);
      assert.match(found.answer, /forecast|accura|driv|event|data/i, 'it says what it can answer');
    }
  });

  test('what it suggests to call can be called', async () => {
    let tried = 0;
    for (const question of [
      'Why did the forecast change?',
      'What if there were another incident?',
      'What drives this goal?',
      'How accurate are the forecasts?',
      'What is the capital of France?',
    ])
      for (const { method, path: of, body } of (await answered(question)).suggested_calls) {
        const answer = await world.api.send<Json>({ method, path: of, ...(body && { body }) });
        assert.ok(answer.status >= 200 && answer.status < 300, `${method} ${of}: ${answer.text}`);
        tried++;
      }
    assert.ok(tried >= 3, `${tried} calls were suggested`);
  });

  test('answers are kept, and asking changes nothing else', async () => {
    const before = await goal(world.api, id);
    const { answer_id, answer } = await answered('What happens next?');
    const kept = rows(expected(await world.api.get<Json>(path(id, '/analyst/answers'))));
    assert.is(kept[0]!.answer_id, answer_id, 'the newest first');
    assert.is(kept[0]!.answer, answer);
    assert.equal(await goal(world.api, id), before);
  });

  test('as of a moment before the fire it knows nothing of it', async () => {
    const first = rows(expected(await world.api.get<Json>(path(id, '/forecasts?per_page=100')))).at(-1)!;
    const as_of = at(Date.parse(first.issued_at) + 500);
    const { data } = expected(await ask('What happens next?', { as_of }));
    assert.match(JSON.stringify(data.facts), first.forecast_id);
    founded(data.answer, data.facts, 'as of then');
  });

  test('a wrong question is refused', async () => {
    for (const question of [undefined, '', 7])
      assert.match(places(await ask(question)).join(), 'body.question');
    assert.match(places(await ask('What happens next?', { as_of: 'then' })).join(), 'body.as_of');
    assert.equal(places(await ask('What happens next?', { asof: at(world.now()) })), ['body.asof']);
  });

  test('reading goals is enough to ask; another workspace gets no answer', async () => {
    const reader = await world.withScopes(['goals.read']);
    expected(await ask('What happens next?', {}, reader));
    expected(await reader.get<Json>(path(id, '/analyst/brief')));
    const blind = await world.withScopes(scopes.filter(each => each !== 'goals.read'));
    const other = await world.tenant();
    for (const each of ['/analyst/brief', '/analyst/answers']) {
      const { details } = refused(await blind.get<Json>(path(id, each)), 403, 'insufficient_scope');
      assert.equal(details.required, ['goals.read']);
      refused(await other.get<Json>(path(id, each)), 404, 'not_found');
    }
    refused(await ask('What happens next?', {}, blind), 403, 'insufficient_scope');
    refused(await ask('What happens next?', {}, other), 404, 'not_found');
  });

  test('a goal of which nothing is known yet is told honestly', async () => {
    const { data } = expected(
      await world.api.post<Json>('/v1/goals', {
        ...{ name: 'Fresh', target: 'plant.output', horizon: 3, step_s: 3_600 },
      }),
      201,
    );
    const brief = expected(await world.api.get<Json>(path(data.goal_id, '/analyst/brief'))).data;
    for (const { text, facts, title } of brief.sections) founded(text, facts, title);
  });
});
