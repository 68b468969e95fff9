import * as assert from 'uvu/assert';
import { answerTo } from '../../../domain/analyst/answering.js';
import { randomOf } from '../../random.js';
import { suite } from '../../suite.js';
import { situationOf } from './given.js';

const edge = (id: string, key: string, status: string, more: object = {}) => ({
  ...{ kind: 'edge' as const, id },
  shown: { source_key: key, kind: 'event_stream', status, lift: 0.033, reasons: [], reason: null, ...more },
});
const reasons = [{ code: 'confounded', text: 'Alone it goes with the target (p 0.012)' }];

suite('what a question names', test => {
  const given = {
    ...situationOf(randomOf(3)),
    goal: { kind: 'goal' as const, id: 'goa_1', shown: { name: 'Sales', target: 'plant.output' } },
    edges: [edge('edg_1', 'fuel.supply', 'validated'), edge('edg_2', 'news', 'validated')],
    idle: [edge('edg_3', 'weather', 'candidate', { reasons })],
    tests: [
      {
        ...{ kind: 'discovery' as const, id: 'dsc_1' },
        shown: {
          finished_at: '2026-01-05T00:00:00.000Z',
          results: [
            { source_key: 'fuel.supply', kind: 'event_stream', verdict: 'validated', reasons: [] },
            { source_key: 'news.sports', kind: 'event_stream', verdict: 'rejected', reasons },
          ],
        },
      },
    ],
  };
  const ask = (question: string) => answerTo(given, question);

  test('is told of, and no other source is', () => {
    const { answer, facts, confidence, suggestedCalls } = ask('What effect do events of news.sports have?');
    assert.match(answer, 'news.sports (event_stream) has no edge to the goal');
    assert.match(answer, 'says rejected. Against it stands confounded: Alone it goes');
    assert.not.match(answer, 'fuel');
    assert.is(confidence, 'medium');
    assert.not.match(JSON.stringify(suggestedCalls), 'fuel');
    assert.ok(facts.every(({ kind, id }) => kind === 'discovery' && id === 'dsc_1'));
    assert.ok(facts.some(({ field }) => field === 'results[1].reasons[0].code'));
    const weather = ask('Does weather drive it?').answer;
    assert.match(weather, 'weather (event_stream) does not act on the goal: its edge is candidate.');
    assert.match(weather, 'confounded');
  });

  test('by its whole name, also where it begins with another, and in any case', () => {
    assert.match(ask('What effect do events of News have?').answer, 'Events of news act');
    assert.not.match(ask('What effect do events of news have?').answer, 'sports');
    const both = ask('What effect have fuel.supply and news.sports?').answer;
    assert.match(both, 'Events of fuel.supply act');
    assert.match(both, 'news.sports (event_stream) has no edge');
  });

  test('and is known of nothing: that is said, with nothing to rest on', () => {
    for (const question of [
      'What effect do events of news.politics have?',
      'What effect do events of strikes have?',
      'Does oil_price drive it?',
    ]) {
      const { answer, facts, confidence } = ask(question);
      assert.equal([facts, confidence], [[], 'low'], question);
      assert.match(answer, 'no source that is known here');
    }
  });

  test('where it names none, all that act are told of', () => {
    for (const question of [
      'What effect do events have on plant.output?',
      'What effect do all events have, e.g. of this week?',
      'What drives Sales?',
    ]) {
      const { answer, confidence } = ask(question);
      assert.match(answer, 'fuel.supply', question);
      assert.match(answer, 'news');
      assert.is(confidence, 'high');
    }
  });
});
