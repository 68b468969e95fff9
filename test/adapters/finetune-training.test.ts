import * as assert from 'uvu/assert';
import { foundationTraining } from '../../adapters/trainings/foundation.js';
import { isAdapter } from '../../adapters/finetune/adapter-file.js';
import { firstPartyModels } from '../../adapters/models/first-party.js';
import type { Told, TrainingWork } from '../../domain/trainings/ports.js';
import { suite } from '../suite.js';
import { alternating, tableOf } from './finetune-table.js';

const HORIZON = 4;
const backbone = firstPartyModels().find(({ slug }) => slug === 'nano')!;
const { family, slug, version } = backbone;
const model = { family, slug, version };
const work: TrainingWork = {
  what: {
    kind: 'foundation',
    fineTune: { model, task: 'forecast', intensity: 'adapt', lookback: 128, horizon: HORIZON },
    backbone,
  },
  ...{ horizon: HORIZON, lookback: null, seed: 1, metric: 'crps', against: backbone },
};
const train = foundationTraining('no folder is needed for our own');

suite('trainings of foundation models', test => {
  test('what wins becomes an adapter, with a report of folds that it has not seen', async () => {
    const told: Told[] = [];
    const table = tableOf([alternating(220, 1), alternating(200, 2)], HORIZON);
    const { report, made, comparison } = await train(table, work, each => told.push(each));
    assert.ok(isAdapter(made!.graph!));
    assert.equal([made!.model, made!.download], [null, null]);
    assert.is(report.folds.length, 4);
    assert.is(report.backtest.points.length, 4 * 2 * HORIZON);
    assert.not(report.warnings.includes('no_gain'));
    assert.ok(report.skill! > 0.1, `skill ${report.skill}`);
    assert.ok(comparison!.improvement > 0.02, `the backbone: ${JSON.stringify(comparison)}`);
    const shares = told.map(({ progress }) => progress);
    assert.equal(
      shares,
      [...shares].sort((a, b) => a - b),
    );
    assert.ok(told.some(({ message }) => /less loss on \d+ held-out stretches.*: kept/.test(message ?? '')));
  });

  test('where the history is too short nothing is made, and the report shows the backbone', async () => {
    const asked: TrainingWork = { ...work, horizon: 24 };
    const { report, made } = await train(tableOf([alternating(60, 1)], 10), asked, () => undefined);
    assert.is(made, null);
    assert.ok(report.warnings.includes('no_gain') && report.warnings.includes('short_history'));
    assert.ok(report.score! > 0);
  });
});
