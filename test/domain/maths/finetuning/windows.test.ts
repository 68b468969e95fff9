import * as assert from 'uvu/assert';
import { bestOf, isGain, judged } from '../../../../domain/maths/finetuning/gate.js';
import { tunedFolds, type TunedSeries } from '../../../../domain/maths/finetuning/windows.js';
import { randomOf } from '../../../random.js';
import { suite } from '../../../suite.js';

const STEP = 1_000;
const seriesOf = (length: number, starts = 0, holes: readonly number[] = []): TunedSeries => ({
  times: Float64Array.from({ length }, (_, t) => (starts + t) * STEP),
  values: Float64Array.from({ length }, (_, t) => (holes.includes(t) ? NaN : t)),
});

suite('windows that are learned from', test => {
  test('no window of a training reaches into what its fold holds out, nor do blocks reach out of it', () => {
    const random = randomOf(11);
    for (let trial = 0; trial < 40; trial++) {
      const horizon = 1 + random.below(12);
      const series = Array.from({ length: 1 + random.below(4) }, () =>
        seriesOf(120 + random.below(300), random.below(50)),
      );
      const newest = Math.max(...series.map(({ times }) => times.at(-1)!));
      const cut = tunedFolds(series, horizon, newest - 4 * horizon * STEP);
      if (!cut) continue;
      cut.folds.forEach(({ from, train, blocks }, k) => {
        const to = cut.folds[k + 1]?.from ?? Infinity;
        const spanOf = (w: number): [number, number] => {
          const { series: s, origin } = cut.windows[w]!;
          return [series[s]!.times[origin]!, series[s]!.times[origin + horizon - 1]!];
        };
        for (const w of train) assert.ok(spanOf(w)[1] < from);
        for (const w of blocks.flat()) assert.ok(spanOf(w)[0] >= from && spanOf(w)[1] < to);
        assert.is(new Set([...train, ...blocks.flat()]).size, train.length + blocks.flat().length);
        for (const block of blocks) {
          assert.is(new Set(block.map(w => cut.windows[w]!.series)).size, 1);
          const starts = block.map(w => spanOf(w)[0]);
          assert.ok(Math.max(...starts) - Math.min(...starts) < horizon * STEP);
        }
      });
    }
  });

  test('the newest two fifths are held out, and more where the folds of the table reach further back', () => {
    const plain = tunedFolds([seriesOf(400)], 10, 360 * STEP)!;
    assert.equal(
      plain.folds.map(({ from }) => from / STEP),
      [240, 280, 320, 360],
    );
    assert.is(tunedFolds([seriesOf(400)], 10, 200 * STEP)!.folds[0]!.from, 200 * STEP);
  });

  test('what is short, or does not leave enough to learn from, is not cut at all', () => {
    assert.is(tunedFolds([seriesOf(60)], 24, 36 * STEP), null);
    assert.is(tunedFolds([seriesOf(90)], 10, 20 * STEP), null);
  });

  test('of many series each gives few windows, which together cover the time', () => {
    const series = Array.from({ length: 1_200 }, () => seriesOf(200));
    const { windows, folds } = tunedFolds(series, 10, 180 * STEP)!;
    assert.ok(windows.length < 700 && windows.length > 300, String(windows.length));
    for (const { train, blocks } of folds) assert.ok(train.length > 100 && blocks.flat().length > 10);
  });

  test('windows are thinned out evenly, the newest kept, and those that nothing is known of left out', () => {
    const cut = tunedFolds([seriesOf(5_000)], 10, 4_900 * STEP)!;
    assert.ok(cut.windows.length <= 500 && cut.windows.length > 400, String(cut.windows.length));
    assert.is(cut.windows.at(-1)!.origin, 4_990);
    const silent = Array.from({ length: 10 }, (_, i) => 300 + i);
    const holes = tunedFolds([seriesOf(400, 0, silent)], 10, 360 * STEP)!;
    assert.not.ok(holes.windows.some(({ origin }) => origin === 300));
    assert.ok(holes.windows.some(({ origin }) => origin === 301));
  });
});

suite('the gate of fine-tuning', test => {
  test('the ratio is the geometric mean over blocks, its certainty in standard errors', () => {
    const verdict = judged([1, 2, 4], [0.5, 2, 2]);
    const logs = [Math.log(0.5), 0, Math.log(0.5)];
    const mean = (logs[0]! + logs[2]!) / 3;
    const deviation = Math.sqrt(logs.reduce((sum, x) => sum + (x - mean) ** 2, 0) / 2);
    assert.ok(Math.abs(verdict.ratio - Math.exp(mean)) < 1e-12);
    assert.ok(Math.abs(verdict.certainty + mean / (deviation / Math.sqrt(3))) < 1e-12);
    assert.is(verdict.blocks, 3);
  });

  test('a gain counts that is large enough, sure enough and seen often enough', () => {
    assert.ok(isGain({ ratio: 0.8, certainty: 6, blocks: 40 }));
    assert.not(isGain({ ratio: 0.998, certainty: 6, blocks: 40 }));
    assert.not(isGain({ ratio: 0.8, certainty: 0.5, blocks: 40 }));
    assert.not(isGain({ ratio: 0.8, certainty: 6, blocks: 3 }));
    assert.not(isGain({ ratio: NaN, certainty: NaN, blocks: 0 }));
  });

  test('by chance alone hardly anything is kept', () => {
    const random = randomOf(3);
    const noise = (): number => Math.exp(0.5 * (random.next() + random.next() + random.next() - 1.5));
    let kept = 0;
    for (let trial = 0; trial < 1_000; trial++) {
      const before = Array.from({ length: 20 }, noise);
      if (isGain(judged(before, before.map(noise)))) kept++;
    }
    assert.ok(kept < 50, `${kept} of 1000`);
  });

  test('the best choice is that with the least loss over the folds asked for, where all have come to', () => {
    const curves = [
      [
        [
          [[4], [3], [2]],
          [[4], [3]],
        ],
        [
          [[5], [1]],
          [[5], [6]],
        ],
      ],
      [
        [[[9]], [[9]]],
        [[[2.5]], [[2.5]]],
      ],
    ];
    assert.equal(bestOf(curves, [0, 1]), { way: 1, strength: 1, look: 0 });
    assert.equal(bestOf(curves, [0]), { way: 0, strength: 1, look: 1 });
    assert.equal(bestOf(curves, [1]), { way: 1, strength: 1, look: 0 });
  });
});
