import { discover } from '../domain/maths/effects/discover.js';
import type { Candidate, EffectsQuestion } from '../domain/maths/effects/question.js';
import { seeded } from '../domain/maths/seeded.js';
import { HOUR } from '../domain/time.js';
import { table } from './common.js';

/**
 * What discovery costs: half the candidates streams of 50 events, half signals, one in ten of both with an
 * effect, an hourly target. `node dist/bench/discovery.js [candidates=100] [points=5000]`
 */
const [candidates = 100, points = 5_000] = process.argv.slice(2).map(Number);
const EVENTS = 50;
const ONE_IN = 10;
const START = Date.UTC(2024, 0, 1);

function made(count: number, steps: number): EffectsQuestion {
  const random = seeded(1);
  const normal = (): number => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const target = Array.from({ length: steps }, (_, t) => 5 * Math.sin((2 * Math.PI * t) / 24) + normal());
  const times = target.map((_, t) => START + t * HOUR);
  const stream = (key: string, acts: boolean): Candidate => {
    const at = [...new Set(Array.from({ length: EVENTS }, () => Math.floor(random() * (steps - 60))))];
    for (const step of acts ? at : []) for (let k = 0; k < 60; k++) target[step + k]! += 1.5 * 2 ** -(k / 8);
    const events = at.map(step => {
      const occurredAt = START + (step + 0.3) * HOUR;
      return {
        ...{ occurredAt, recordedAt: occurredAt + 1_000 },
        ...{ importance: random(), impact: 2 * random() - 1, value: null },
      };
    });
    return { kind: 'event_stream', key, events };
  };
  const signal = (key: string, acts: boolean): Candidate => {
    let last = 0;
    const values = times.map(() => {
      last = 0.8 * last + normal();
      return last;
    });
    if (acts) for (let t = 4; t < steps; t++) target[t]! += 0.2 * values[t - 4]!;
    return { kind: 'signal', key, series: { times, values } };
  };
  const all = Array.from({ length: count }, (_, i) =>
    (i % 2 === 0 ? stream : signal)(`candidate ${i}`, i % ONE_IN < 2 && i % (2 * ONE_IN) < 2),
  );
  return {
    target: { times, values: target },
    ...{ stepMs: HOUR, horizon: 24, candidates: all },
    settings: { alpha: 0.05, maxLag: null, seed: 1 },
  };
}

const question = made(candidates, points);
const before = process.cpuUsage();
const { findings } = discover(question);
const { user, system } = process.cpuUsage(before);
const validated = (kind: Candidate['kind']): string =>
  String(findings.filter(each => each.kind === kind && each.verdict === 'validated').length);
table(
  ['candidates', 'points', 'processor time, s', 'streams validated', 'signals validated'],
  [
    [
      ...[String(candidates), String(points), ((user + system) / 1e6).toFixed(1)],
      ...[validated('event_stream'), validated('signal')],
    ],
  ],
);
