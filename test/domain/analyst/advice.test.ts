import * as assert from 'uvu/assert';
import { advice } from '../../../domain/analyst/advice.js';
import { suite } from '../../suite.js';

const nothing = {
  latest: null,
  previous: null,
  edges: [],
  idle: [],
  tests: [],
  target: null,
  tournament: null,
};
const told = (health: string, health_reasons: readonly string[]): string => {
  const shown = { status: 'active', health, health_reasons };
  return advice({ ...nothing, goal: { kind: 'goal', id: 'goa_1', shown } }).text;
};

suite('what the analyst says is to be done', test => {
  test('health is told with its reasons, and by itself only where there are none', () => {
    assert.is(
      told('attention', ['credits_exhausted']),
      'Its health is attention: credits_exhausted. Add credits: seasonal naive stands in.',
    );
    assert.match(told('ok', []), /^Its health is ok\. Nothing is wrong/);
  });
});
