import * as assert from 'uvu/assert';
import { seeded } from '../../../domain/maths/seeded.js';
import { followed, responseOf } from '../../../domain/scenarios/signal-response.js';
import { suite } from '../../suite.js';

suite('how a target follows a signal', test => {
  const random = seeded(11);
  const noise = (): number => random() + random() + random() - 1.5;

  test('the effect of a known system is found, also with errors that follow each other', () => {
    const n = 1_500;
    const x = Float64Array.from({ length: n }, noise);
    let error = 0;
    const y = Float64Array.from({ length: n }, (_, t) => {
      error = 0.7 * error + 0.2 * noise();
      return 50 + (t >= 3 ? 2.5 * x[t - 3]! : 0) + error;
    });
    const response = responseOf(y, x, { lag: 3, period: 1 })!;
    const changes = new Float64Array(10).fill(0);
    changes[0] = 1;
    const moved = followed(response, changes);
    assert.ok(moved.subarray(0, 3).every(by => by === 0));
    assert.ok(Math.abs(moved[3]! - 2.5) < 0.1, String(moved[3]));
    // It does not go on: what lasts is the errors' own
    assert.ok(Math.abs(moved[4]!) < 0.15, String(moved[4]));
  });

  test('it is linear, and an effect that lasts in the target lasts', () => {
    const response = { lag: 1, period: 4, own: 0.5, season: 0.2, now: 2, before: -1 };
    const a = Float64Array.from([1, 0, 0, 0, 0, 0]);
    const b = Float64Array.from([0, 3, 0, -1, 0, 0]);
    const both = followed(
      response,
      a.map((value, i) => value + b[i]!),
    );
    const [ofA, ofB] = [followed(response, a), followed(response, b)];
    both.forEach((value, i) => assert.ok(Math.abs(value - ofA[i]! - ofB[i]!) < 1e-12));
    assert.equal([...ofA], [0, 2, 0, 0, 0, 0.4]);
  });

  test('of what never changes, or is hardly there, nothing is told', () => {
    const y = Float64Array.from({ length: 100 }, noise);
    assert.is(responseOf(y, new Float64Array(100).fill(3), { lag: 1, period: 1 }), null);
    assert.is(responseOf(y.subarray(0, 20), y.subarray(0, 20), { lag: 1, period: 1 }), null);
  });

  test('what would grow without end is held', () => {
    const y = Float64Array.from({ length: 60 }, (_, t) => 1.2 ** t);
    const x = Float64Array.from({ length: 60 }, noise);
    const { own, season } = responseOf(y, x, { lag: 1, period: 1 })!;
    assert.ok(Math.abs(own) + Math.abs(season) <= 1);
  });
});
