import * as assert from 'uvu/assert';
import { worldOf } from '../../../bench/worlds/generate.js';
import { figuresOf, judged, type Said } from '../../../bench/worlds/judge.js';
import { rateOf } from '../../../bench/worlds/rates.js';
import type { World } from '../../../bench/worlds/world.js';
import { suite } from '../../suite.js';

const SEEDS = Array.from({ length: 12 }, (_, i) => i + 1);
const worlds = SEEDS.flatMap(seed => [
  worldOf(seed, 'noise'),
  worldOf(seed, 'crowded'),
  worldOf(seed, 'anticipated'),
  worldOf(seed, 'dying'),
]);
const REAL = ['cause', 'announced', 'leads'];

/** What somebody would say who knows the truth; `lie` changes it. */
function told(world: World, lie: (said: Said, role: string) => Said = said => said): Said[] {
  const streams = world.streams.map(({ key, role, effect }) =>
    lie(
      {
        key,
        validated: REAL.includes(role),
        reasons: REAL.includes(role) ? [] : [role === 'anticipated' ? 'pre_trend' : 'confounded'],
        halfLifeSteps: effect?.halfLife ?? null,
        peakSteps: effect?.curve.peak ?? null,
        leadSteps: null,
      },
      role,
    ),
  );
  const signals = world.signals.map(({ key, role, lag }) => {
    const validated = role === 'leads';
    return lie(
      {
        key,
        validated,
        reasons: validated ? [] : ['no_effect'],
        halfLifeSteps: null,
        peakSteps: null,
        leadSteps: lag,
      },
      role,
    );
  });
  return [...streams, ...signals];
}
const figures = (lie?: (said: Said, role: string) => Said) =>
  figuresOf(worlds.flatMap(world => judged(world, told(world, lie))));
const counted = (role: string): number =>
  worlds.flatMap(({ streams, signals }) => [...streams, ...signals]).filter(each => each.role === role)
    .length;

suite('the judge of edges', test => {
  test('gives the truth full marks', () => {
    const { found, falsely, noise, ...rest } = figures();
    assert.is(found.share, 1);
    assert.is(falsely.hits, 0);
    assert.equal([noise.hits, noise.of], [0, SEEDS.length]);
    for (const [name, rate] of Object.entries(rest)) assert.is(rate.share, 1, name);
  });

  test('counts those that have to be found: one deviation, twelve occurrences, alive', () => {
    const strong = worlds
      .flatMap(({ streams }) => streams)
      .filter(({ role, effect, events }) => role === 'cause' && effect!.size >= 1 && events.length >= 12);
    const { found } = figures(said => ({ ...said, validated: false, reasons: ['no_effect'] }));
    assert.equal([found.hits, found.of >= strong.length - 2, found.of <= strong.length], [0, true, true]);
    assert.ok(found.of > 10);
  });

  test('counts a false edge by what was said of it, not by how often it could have been', () => {
    const { falsely, noise, refused } = figures((said, role) =>
      role === 'peak' ? { ...said, validated: true, reasons: [] } : said,
    );
    assert.is(falsely.hits, counted('peak'));
    assert.is(falsely.of, counted('peak') + counted('cause') + counted('leads'));
    assert.is(noise.hits, SEEDS.length);
    assert.is(refused.share, 1);
  });

  test('leaves what died out of true and false', () => {
    const alive = figures((said, role) => (role === 'dying' ? { ...said, validated: true } : said));
    assert.is(counted('dying'), SEEDS.length);
    assert.equal(alive.falsely, figures().falsely);
  });

  test('wants the right reason, a near half-life and the right lag', () => {
    const off = figures(said => ({
      ...said,
      reasons: said.validated ? [] : ['no_lift'],
      halfLifeSteps: said.halfLifeSteps && said.halfLifeSteps * 1.6,
      peakSteps: said.peakSteps === null ? null : said.peakSteps + 12,
      leadSteps: said.leadSteps && said.leadSteps + 2,
    }));
    for (const rate of [off.anticipation, off.confounding, off.halfLife, off.peak, off.lag])
      assert.is(rate.hits, 0);
    assert.equal([off.anticipation.of, off.confounding.of], [counted('anticipated'), counted('companion')]);
    assert.is(off.refused.share, 1);
    const near = figures(said => ({
      ...said,
      halfLifeSteps: said.halfLifeSteps && said.halfLifeSteps * 1.4,
    }));
    assert.is(near.halfLife.share, 1);
  });

  test('refuses to judge where a source was passed over', () => {
    const world = worldOf(1, 'plain');
    assert.throws(() => judged(world, told(world).slice(1)), /nothing was said of/);
  });

  // scipy 1.17.1: binomtest(k, n).proportion_ci(method='wilson')
  test('has the intervals of Wilson', () => {
    const near = (got: number, wanted: number) =>
      assert.ok(Math.abs(got - wanted) < 1e-12, `${got} ${wanted}`);
    const { low, high } = rateOf(72, 78);
    near(low, 0.8421677019381913);
    near(high, 0.9642695359976442);
    assert.is(rateOf(0, 40).low, 0);
    near(rateOf(0, 40).high, 0.08762160119728662);
  });
});
