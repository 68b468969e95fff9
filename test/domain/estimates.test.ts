import * as assert from 'uvu/assert';
import { estimateOf, type Operation, type Operations } from '../../domain/billing/estimates.js';
import { builtInRates } from '../../domain/billing/rates.js';
import { suite } from '../suite.js';

const linesOf = <O extends Operation>(operation: O, params: Operations[O]): string[] =>
  estimateOf(builtInRates, operation, params).lines.map(({ item, quantity, amount }) =>
    [item, quantity, amount].join(' '),
  );

suite('estimates', test => {
  test('inference is rounded call by call, as it is charged', () => {
    assert.equal(linesOf('inference', { series: 1, steps: 14, calls: 1 }), ['inference.series_step 14 1']);
    assert.equal(linesOf('inference', { series: 1, steps: 14, calls: 30 }), ['inference.series_step 420 30']);
    assert.equal(linesOf('inference', { series: 30, steps: 14, calls: 1 }), ['inference.series_step 420 42']);
  });
  test('the first replica of a deployment is free', () => {
    assert.equal(linesOf('deployment', { replicas: 1, hours: 100 }), []);
    assert.equal(linesOf('deployment', { replicas: 0, hours: 100 }), []);
    assert.equal(linesOf('deployment', { replicas: 4, hours: 24 }), ['deployment.replica_hour 72 720']);
  });
  test('trainings cost by how deep they go', () => {
    assert.equal(linesOf('finetune', { intensity: 'forge', trainings: 2 }), ['finetune.forge 2 120000']);
    assert.equal(linesOf('training', { trainings: 3 }), ['training.custom 3 3000']);
    const entries = [null, 'adapt', null, 'specialize', 'adapt'] as const;
    assert.equal(linesOf('pipeline_cycle', { entries, cycles: 2 }), [
      'training.custom 4 4000',
      'finetune.adapt 4 20000',
      'finetune.specialize 2 40000',
    ]);
  });
  test('tournaments and fleets cost by who takes part', () => {
    assert.equal(linesOf('tournament', { contestants: 7 }), ['tournament.contestant 7 3500']);
    const fleet = { goals: 10, contestants: 4, forecasts: 30, horizon: 20 };
    assert.equal(linesOf('fleet', fleet), [
      'tournament.contestant 40 20000',
      'inference.series_step 6000 600',
    ]);
    assert.is(estimateOf(builtInRates, 'fleet', fleet).amount, 20_600);
  });
  test('more than can be counted is refused', () => {
    const dear = { ...builtInRates, credits: { ...builtInRates.credits, 'training.custom': '999999999' } };
    assert.throws(() => estimateOf(dear, 'training', { trainings: 1e7 }), /too many/);
  });
});
