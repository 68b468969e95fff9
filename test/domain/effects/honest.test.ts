import assert from 'node:assert/strict';
import { discover, recheck } from '../../../domain/maths/effects/discover.js';
import { suite } from '../../suite.js';
import { made, stepsOf } from './made.js';

suite('effects: what is not there, and what must not depend on it', test => {
  test('nothing is validated in noise', () => {
    for (const seed of [1, 2, 3, 4, 5]) {
      const streams = Object.fromEntries(
        ['a', 'b', 'c', 'd'].map((key, i) => [key, stepsOf(10 + 4 * i, 500, 100 * seed + i)]),
      );
      const { findings, multipleTesting } = discover(made({ steps: 500, seed, streams }));
      assert.equal(multipleTesting.tests, 4);
      for (const { verdict, reasons } of findings) {
        assert.notEqual(verdict, 'validated');
        assert.ok(reasons.every(({ text }) => text.length > 20));
      }
    }
  });

  test('the same question has the same answer to the bit, also after the clone that a process gets', () => {
    const question = made({
      steps: 500,
      seed: 5,
      streams: { a: stepsOf(15, 500, 1), b: stepsOf(15, 500, 2) },
      effect: (key, k) => (key === 'a' && k >= 0 ? 2 * 2 ** -(k / 8) : 0),
    });
    const once = JSON.stringify(discover(question));
    assert.equal(JSON.stringify(discover(structuredClone(question))), once);
    assert.equal(JSON.stringify(structuredClone(discover(question))), once);
  });

  test('too little is not tested, and says so', () => {
    const few = made({ steps: 300, seed: 6, streams: { few: [100, 200], late: [] } });
    const { findings } = discover(few);
    assert.deepEqual(
      findings.map(({ verdict, nOccurrences, reasons }) => [verdict, nOccurrences, reasons[0]!.code]),
      [
        ['untested', 2, 'too_few_occurrences'],
        ['untested', 0, 'too_few_occurrences'],
      ],
    );
    const short = discover(made({ steps: 39, seed: 6, streams: { any: [10, 20] } }));
    assert.equal(short.warnings[0]!.code, 'insufficient_history');
    assert.equal(short.findings[0]!.verdict, 'untested');
    const none = { ...few, target: { times: [], values: [] } };
    assert.equal(discover(none).warnings[0]!.code, 'insufficient_history');
    assert.equal(recheck(few, 'unknown'), null);
  });

  test('a target that never changes and one with holes are no trouble', () => {
    const question = made({ steps: 400, seed: 7, streams: { a: stepsOf(12, 400, 3) } });
    const flat = { times: question.target.times, values: question.target.times.map(() => 4) };
    const [still] = discover({ ...question, target: flat }).findings;
    assert.equal(still!.verdict, 'refused');
    const kept = (_: number, t: number): boolean => t % 7 !== 0 && (t < 120 || t > 160);
    const holes = {
      times: Array.from(question.target.times).filter(kept),
      values: Array.from(question.target.values).filter(kept),
    };
    const [sparse] = discover({ ...question, target: holes }).findings;
    assert.equal(sparse!.verdict, 'refused');
    assert.ok(Number.isFinite(sparse!.pValue));
  });
});
