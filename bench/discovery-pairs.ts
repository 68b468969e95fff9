import { discover } from '../domain/maths/effects/discover.js';
import { seeded, type Uniform } from '../domain/maths/seeded.js';
import { HOUR } from '../domain/time.js';
import { quick, table } from './common.js';
import { interval, said } from './worlds/rates.js';

/**
 * Signals that do not lead the target, one by itself, 400 hours: how often discovery finds something in them.
 * `node dist/bench/discovery-pairs.js [--quick]`
 */
const PAIRS = quick ? 20 : 100;
const STEPS = 400;

type Make = (random: Uniform) => Float64Array;
/** A signal that is made from the target. */
type From = (target: Float64Array, random: Uniform) => Float64Array;

const normal = (random: Uniform): number =>
  Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
const column = (at: (t: number) => number): Float64Array =>
  Float64Array.from({ length: STEPS }, (_, t) => at(t));
const regressive =
  (kept: number): Make =>
  random => {
    let last = 0;
    return column(() => {
      last = kept * last + normal(random);
      return last;
    });
  };
const trending: Make = random => {
  const slope = normal(random) / 20;
  return column(t => slope * t + normal(random));
};
/** The same day each day, with a peak that no wave has. */
const seasonal: Make = random =>
  column(
    t =>
      9 * Math.max(0, Math.sin((2 * Math.PI * (t - 6)) / 24)) ** 2 + (t % 24 === 9 ? 9 : 0) + normal(random),
  );
/** A slow level, and noise. */
const levelled: Make = random => regressive(0.95)(random).map(level => 0.3 * level + normal(random));

const echo =
  (lag: number): From =>
  (target, random) =>
    target.map((_, t) => target[Math.max(0, t - lag)]! + 0.5 * normal(random));

const cases: readonly (readonly [name: string, target: Make, signal: From])[] = [
  ['autoregressions of 0.9', regressive(0.9), (_, random) => regressive(0.9)(random)],
  ['random walks', regressive(1), (_, random) => regressive(1)(random)],
  ['two trends', trending, (_, random) => trending(random)],
  ['the same season', seasonal, (_, random) => seasonal(random)],
  ['a level with noise; it follows by 2', levelled, echo(2)],
  ['a level with noise; it moves with it', levelled, echo(0)],
  ['a random walk; it follows by 2', regressive(1), echo(2)],
];

const series = (values: Float64Array) => ({ times: values.map((_, t) => t * HOUR), values });
const rows = cases.map(([name, make, signal]) => {
  const findings = Array.from({ length: PAIRS }, (_, i) => {
    const random = seeded(1_000 + i);
    const target = make(random);
    const x = signal(target, random);
    return discover({
      target: series(target),
      ...{ stepMs: HOUR, horizon: 12 },
      candidates: [{ kind: 'signal', key: 'x', series: series(x) }],
      settings: { alpha: 0.05, maxLag: null, seed: 1 },
    }).findings[0]!;
  });
  return [
    name,
    said(interval(findings, ({ pValue }) => pValue! < 0.05)),
    said(interval(findings, ({ verdict }) => verdict === 'validated')),
  ];
});
table(['target and signal', 'p below 0.05 (95%)', 'validated (95%)'], rows);
