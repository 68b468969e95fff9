import * as assert from 'uvu/assert';
import type { Source } from '../../../domain/analyst/fact.js';
import { why } from '../../../domain/analyst/telling.js';
import { suite } from '../../suite.js';

const AT = Date.UTC(2026, 0, 5);
const forecast: Source = { kind: 'forecast', id: 'fct_1', shown: { shock_state: 'normal', metadata: {} } };
const nothing = { previous: null, edges: [], idle: [], tests: [], target: null, tournament: null };
const causes = (...removed: (string | null)[]) =>
  removed.map((one, i) => ({ stream: `news.${i}`, occurred_at: AT, removed: one }));
const told = (shock_state: string, shock: object | null): string =>
  why({
    ...nothing,
    goal: { kind: 'goal', id: 'goa_1', shown: { shock_state, shock } },
    latest: forecast,
  }).text;
const WHEN = '2026-01-05T00:00:00.000Z';

suite('what the analyst tells of shocks', test => {
  test('causes that were removed are none, however many came before those that count', () => {
    const text = told('shock', { causes: causes('event', 'edge', 'event', null) });
    assert.is(text, `The goal is in a shock by an event of news.3 at ${WHEN}.`);
  });

  test('a goal that recovers is in no shock', () => {
    const text = told('recovering', { causes: causes(null) });
    assert.is(text, `The goal recovers from a shock by an event of news.0 at ${WHEN}.`);
  });

  test('without a cause nothing is told of a shock', () => {
    for (const [state, shock] of [
      ['recovering', { causes: causes('event') }],
      ['normal', null],
    ] as const)
      assert.is(told(state, shock), 'No event moved it: it follows from the values of its target.');
  });
});
