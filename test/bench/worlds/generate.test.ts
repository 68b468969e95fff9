import * as assert from 'uvu/assert';
import { worldOf } from '../../../bench/worlds/generate.js';
import { curveOf, SHAPES } from '../../../bench/worlds/shapes.js';
import { FURTHER_KINDS, KINDS, timeOf, type Stream, type World } from '../../../bench/worlds/world.js';
import { suite } from '../../suite.js';

const SEEDS = [1, 2, 3, 4, 5, 6];
const worlds = [...KINDS, ...FURTHER_KINDS].flatMap(kind => SEEDS.map(seed => worldOf(seed, kind)));
const streamsOf = (role: Stream['role']): (readonly [World, Stream])[] =>
  worlds.flatMap(world =>
    world.streams.flatMap(stream => (stream.role === role ? [[world, stream] as const] : [])),
  );
const close = (got: number, wanted: number, scale: number): boolean => Math.abs(got - wanted) < 1e-9 * scale;

suite('worlds with known causes', test => {
  test('are the same for the same seed and kind, and others for others', () => {
    for (const kind of [...KINDS, ...FURTHER_KINDS]) {
      assert.is(JSON.stringify(worldOf(1, kind)), JSON.stringify(worldOf(1, kind)));
      assert.not.equal(worldOf(1, kind).target, worldOf(2, kind).target);
    }
    assert.not.equal(worldOf(1, 'plain').target, worldOf(1, 'scaled').target);
  });

  test('without noise show what was planted, to the digit', () => {
    for (const kind of [...KINDS, ...FURTHER_KINDS])
      for (const seed of SEEDS) {
        const { target, parts, streams, steps, sigma } = worldOf(seed, kind, { quiet: true });
        const planted = Array.from({ length: steps }, () => 0);
        for (const { events, effect } of streams)
          for (const { step, strength } of effect ? events : [])
            for (let t = 0; t < steps; t++) {
              const offset = t - step - effect!.curve.first;
              planted[t]! += strength * (effect!.curve.values[offset] ?? 0);
            }
        for (let t = 0; t < steps; t++) {
          const rest = parts.level[t]! + parts.season[t]! + parts.holidays[t]! + parts.leading[t]!;
          assert.ok(
            close(target[t]! - rest, planted[t]!, Math.abs(target[t]!) + 100 * sigma),
            `${kind} ${seed} ${t}`,
          );
        }
      }
  });

  test('differ from those without noise by their noise alone', () => {
    const [noisy, quiet] = [worldOf(3, 'plain'), worldOf(3, 'plain', { quiet: true })];
    assert.equal(noisy.streams, quiet.streams);
    for (let t = 0; t < noisy.steps; t++)
      if (!Number.isNaN(noisy.target[t]!))
        assert.ok(close(noisy.target[t]! - quiet.target[t]!, noisy.parts.noise[t]!, quiet.target[t]!));
  });

  test('have noise of the deviation that they say', () => {
    for (const { noise, parts, sigma, kind, seed } of worlds) {
      if (noise === 'counts') continue;
      const squares = parts.noise.reduce((sum, x) => sum + x * x, 0) / parts.noise.length;
      const off = Math.sqrt(squares) / sigma;
      assert.ok(off > 0.7 && off < 1.4, `${kind} ${seed}: ${off}`);
    }
  });

  test('hold events in their steps, recorded when they say', () => {
    for (const world of worlds)
      for (const { events } of world.streams)
        for (const [i, { step, occurredAt }] of events.entries()) {
          assert.ok(occurredAt >= timeOf(world, step) && occurredAt < timeOf(world, step + 1));
          assert.ok(i === 0 || step > events[i - 1]!.step);
        }
    for (const [, { events }] of streamsOf('announced'))
      assert.ok(events.every(({ occurredAt, recordedAt }) => recordedAt < occurredAt));
    for (const [, { events }] of streamsOf('anticipated'))
      assert.ok(events.every(({ occurredAt, recordedAt }) => recordedAt >= occurredAt));
  });

  test('let effects begin before events that are anticipated, and end where they die', () => {
    for (const [, { effect }] of streamsOf('anticipated')) assert.ok(effect!.curve.first <= -2);
    for (const [, { effect }] of streamsOf('cause')) assert.is(effect!.curve.first, 0);
    for (const [, { events, diesAt }] of streamsOf('dying'))
      for (const { step, strength } of events) assert.is(strength !== 0, step < diesAt!);
  });

  test('let companions come mostly with their cause, and each at times alone', () => {
    for (const [world, { events, companionOf, effect }] of streamsOf('companion')) {
      assert.is(effect, null);
      const cause = world.streams.find(({ key }) => key === companionOf)!.events.map(({ step }) => step);
      const own = events.map(({ step }) => step);
      const beside = own.filter(step => cause.some(at => step - at >= 0 && step - at <= 2)).length;
      const alone = cause.filter(at => !own.some(step => step - at >= 0 && step - at <= 2)).length;
      assert.ok(beside / own.length > 0.6 && beside < own.length && alone > 0);
    }
  });

  test('let signals lead by the lag that they say', () => {
    for (const { signals, parts, sigma } of worlds.filter(({ kind }) => kind === 'crowded')) {
      const { values, lag, size } = signals.find(({ role }) => role === 'leads')!;
      const mean = values.reduce((sum, x) => sum + x, 0) / values.length;
      const deviation = Math.sqrt(values.reduce((sum, x) => sum + (x - mean) ** 2, 0) / values.length);
      const [a, b] = [values[20]! - values[10]!, parts.leading[20 + lag!]! - parts.leading[10 + lag!]!];
      const ratio = Math.abs(b / a) * deviation;
      assert.ok(ratio / (sigma * size) > 0.8 && ratio / (sigma * size) < 1.2);
    }
  });

  test('have curves that are half as high after their half-life', () => {
    for (const shape of SHAPES)
      for (const half of [4, 12, 40]) {
        const { values, peak, first } = curveOf(shape, half, 3);
        assert.is(values[peak - first], 1);
        assert.ok(close(values[peak - first + half]!, 0.5, 1));
        assert.ok(values.every(value => value <= 1));
      }
  });
});
