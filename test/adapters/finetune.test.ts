import * as assert from 'uvu/assert';
import { finetune } from '../../adapters/finetune/finetune.js';
import { openSession } from '../../adapters/forecaster/session.js';
import { firstPartyModels } from '../../adapters/models/first-party.js';
import { Cancelled } from '../../domain/maths/compute.js';
import type { FineTuneAsked, FineTuned } from '../../domain/trainings/fine-tuning.js';
import { normals } from '../domain/maths/forecasting/toys.js';
import { suite } from '../suite.js';
import { alternating, tableOf } from './finetune-table.js';

const HORIZON = 4;
const LENGTH = 220;
const backbone = firstPartyModels().find(({ slug }) => slug === 'nano')!;
const series = [alternating(LENGTH, 1), alternating(LENGTH - 20, 2)];
const asked: FineTuneAsked = {
  table: tableOf(series, HORIZON),
  ...{ backbone, intensity: 'adapt', horizon: HORIZON, lookback: 128, seed: 1 },
};

suite('fine-tuning', test => {
  const states: Uint8Array[] = [];
  const shares: number[] = [];
  let tuned: FineTuned;

  test.before(async () => {
    tuned = await finetune(asked, {
      progress: share => shares.push(share),
      keep: state => states.push(state),
    });
  });

  test('series that no closed form forecasts are learned, and the adapter is kept', () => {
    assert.is(tuned.why, 'gain', tuned.message);
    assert.ok(tuned.kept && tuned.ratio! < 0.9, tuned.message);
    const folds = tuned.folds!;
    assert.is(folds.length, 4);
    const worse = (which: 'backbone' | 'adapted') => folds.reduce((sum, fold) => sum + fold[which].wql!, 0);
    assert.ok(worse('adapted') < 0.98 * worse('backbone'));
    for (const { forecasts } of folds) assert.is(forecasts, series.length);
    assert.ok(tuned.adapter!.length < 0.15 * backbone.bytes, `${tuned.adapter!.length} bytes`);
  });

  test('its progress rises, and its state comes after each fold', () => {
    assert.equal(
      shares,
      shares.toSorted((a, b) => a - b),
    );
    assert.is(states.length, 4);
  });

  test('the adapter serves by itself: the same values, the same bits', async () => {
    const own = await openSession({ bytes: tuned.adapter! });
    const asked = { values: series[0]!, period: 1 };
    const { quantiles, embedding } = await own.run(asked, HORIZON);
    assert.is(quantiles.length, HORIZON * 9);
    assert.ok(embedding.length > 0);
    assert.equal((await own.run(asked, HORIZON)).quantiles, quantiles);
    await own.close();
  });

  test('the same table and seed give the same bytes, also when it was cut short and goes on', async () => {
    const left: number[] = [];
    const resumed = await finetune({ ...asked, from: states[1]! }, { keep: () => left.push(1) });
    assert.is(left.length, 2, 'two of the four folds were done');
    assert.is(resumed.sha256, tuned.sha256);
    assert.equal(resumed.adapter, tuned.adapter);
    assert.equal(resumed.folds, tuned.folds);
  });

  test('a state of another table is not gone on from', async () => {
    const stop = new AbortController();
    let folds = 0;
    const other = { ...asked, table: tableOf([alternating(LENGTH, 3)], HORIZON), from: states[3]! };
    await finetune(other, {
      signal: stop.signal,
      keep() {
        folds++;
        stop.abort();
      },
    }).then(
      () => assert.unreachable(),
      error => assert.instance(error, Cancelled),
    );
    assert.is(folds, 1, 'it began with the first fold, and ended after it');
  });

  test('of noise nothing is kept', async () => {
    const next = normals(3);
    const noise = Float64Array.from({ length: LENGTH }, next);
    const { kept, why, adapter, message } = await finetune({ ...asked, table: tableOf([noise], HORIZON) });
    assert.equal([kept, why, adapter], [false, 'no_gain', null], message);
  });

  test('a short history is said to be so', async () => {
    const short = await finetune({ ...asked, table: tableOf([alternating(60, 1)], HORIZON), horizon: 24 });
    assert.equal([short.kept, short.why, short.adapter, short.folds], [false, 'too_short', null, null]);
    assert.match(short.message, /too short/);
  });
});
