import { parseArgs } from 'node:util';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from '../test/platform.js';
import type { Json } from '../test/json.js';
import { rich } from './caller.js';
import { ratio, table } from './common.js';
import { TARGET } from './worlds/agenda.js';
import { worldOf } from './worlds/generate.js';
import {
  compared,
  firstHalfLife,
  newestBefore,
  PARTS,
  partsOf,
  stepOf,
  type Loss,
  type Parts,
} from './worlds/losses.js';
import { allScored, played, type Play } from './worlds/play.js';
import { rateOf, said } from './worlds/rates.js';
import { timeOf, type Kind, type Stream, type World } from './worlds/world.js';

/**
 * What shocks and scheduled events are worth, through the API: worlds with known causes are played to a
 * platform by their own clock. Two goals forecast each target: one that hears of events, and one that does
 * not (`shock_enabled` and `scheduled_events` off). Edges are those that discovery finds at the beginning.
 * `node dist/bench/goals-truth.js [options]`
 *
 * --worlds=20       in all, the kinds alike
 * --from=1          number of the first seed
 * --kinds=a,b       of these kinds alone
 * --steps=120       that are played one by one, the last of a world; where a cause dies, those after it did
 * --events=3        worlds with fewer events of a cause in these steps are passed over
 */
const { values: options } = parseArgs({
  options: {
    worlds: { type: 'string', default: '20' },
    from: { type: 'string', default: '1' },
    kinds: { type: 'string', default: 'plain,scaled,announced,dying,counts,rough' },
    steps: { type: 'string', default: '120' },
    events: { type: 'string', default: '3' },
  },
});
const kinds = options.kinds.split(',') as Kind[];
const HORIZON = 24;
/** An event that is recorded later than so many cadences after it happened may begin no shock. */
const FRESH_CADENCES = 2;

type Struck = { readonly stream: Stream; readonly step: number; readonly recordedAt: number };
type Seen = {
  /** Losses in the first half-life, in residual deviations, of events with a true effect and without. */
  readonly shocked: Loss[];
  readonly wrong: Loss[];
  /** Of each part, where the effect is true. */
  readonly parts: Parts[];
  readonly scheduled: Loss[];
  readonly inside: { shock: [number, number]; normal: [number, number] };
  shocks: number;
  /** Looks at events that were still to come. */
  early: number;
  /** Shocks by events that were late, or still to come. */
  forbidden: number;
  edges: number;
};

type Effect = { readonly action: string; readonly reason: string };
const NO_EFFECT: Effect = { action: 'none', reason: 'nothing drives the goal by it' };

/** Tells what became of an event that happened, and waits until it can be read. */
async function effectOf(
  play: Play,
  goalId: string,
  [eventId, key]: readonly [id: string, stream: string],
  before: number,
): Promise<Effect> {
  const effect = await until(async () => {
    const { status, effects } = (await play.call('GET', `/v1/event/${eventId}`)).data;
    if (status !== 'scored') return false;
    const found = (effects as Json[]).find(({ goal_id }) => goal_id === goalId);
    if (found) return found as Effect;
    const { edges } = (await play.call('GET', `/v1/goals/${goalId}/edges`)).data;
    // One that acts has a bar; it tells of each event what came of it
    const acts = (edges as Json[]).some(edge => edge.source_key === key && edge.importance_bar !== null);
    return acts ? false : NO_EFFECT;
  }, 'the effects of an event');
  if (effect.action !== 'shock') return effect;
  await until(async () => {
    const { issued_at } = (await play.call('GET', `/v1/goals/${goalId}/forecasts/latest`)).data;
    return Date.parse(issued_at) >= before;
  }, 'a forecast of the shock');
  return effect;
}

async function hasShocked(play: Play, goalId: string, eventId: string): Promise<boolean> {
  const { effects } = (await play.call('GET', `/v1/event/${eventId}`)).data;
  return (effects as Json[]).some(({ goal_id, action }) => goal_id === goalId && action === 'shock');
}

async function forecastsOf(play: Play, goalId: string): Promise<Json[]> {
  const all: Json[] = [];
  for (let page = 1; ; page++) {
    const path = `/v1/goals/${goalId}/forecasts?per_page=100&page=${page}`;
    const { forecasts } = (await play.call('GET', path)).data;
    all.push(...forecasts);
    if (forecasts.length < 100) return all.reverse();
  }
}

/**
 * The steps that are played one by one: the last of a world; where a cause dies those after that, for what is
 * known of it is wrong from there on.
 */
function windowOf({ streams, steps }: World): { readonly begin: number; readonly end: number } {
  const length = Number(options.steps);
  const diesAt = streams.find(stream => stream.diesAt !== null)?.diesAt;
  const begin = diesAt ?? steps - length;
  return { begin, end: Math.min(steps, begin + length) };
}

/** Events of causes in these steps. */
function struckIn(world: World): number {
  const { begin, end } = windowOf(world);
  const causes = world.streams.filter(({ effect }) => effect !== null);
  return causes.flatMap(({ events }) => events).filter(({ step }) => step > begin && step <= end).length;
}

async function look(world: World, seen: Seen, env: Readonly<Record<string, string>>): Promise<string> {
  const struck: Struck[] = [];
  const reasons = new Map<string, number>();
  /** When events happen that are still to come. */
  const ahead = new Map<string, number>();
  const goal = { mine: '', others: '' };
  const byKey = new Map(world.streams.map(stream => [stream.key, stream]));
  const play = await played(world, env, async ({ at, path, body }, answer) => {
    if (path !== '/v1/event/record' || goal.mine === '') return;
    const { key, occurred_at: occurredAt } = body as { key: string; occurred_at: number };
    if (occurredAt > at) {
      ahead.set(answer.data.event_id, occurredAt);
      return;
    }
    const { action, reason } = await effectOf(play, goal.mine, [answer.data.event_id, key], at);
    if (action !== 'shock') {
      reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
      return;
    }
    seen.shocks++;
    if (at - occurredAt > FRESH_CADENCES * world.stepMs) seen.forbidden++;
    struck.push({ stream: byKey.get(key)!, step: stepOf(world, occurredAt), recordedAt: at });
  });
  try {
    const { begin, end } = windowOf(world);
    await play.until(begin);
    await allScored(play);
    const made = async (name: string, optionsOf: object, activation: object): Promise<string> => {
      const body = {
        name,
        target: TARGET,
        horizon: HORIZON,
        step_s: world.stepMs / 1_000,
        options: optionsOf,
      };
      const id = (await play.call('POST', '/v1/goals', body)).data.goal_id as string;
      await play.call('POST', `/v1/goals/${id}/activate`, activation);
      await until(async () => {
        const { status, latest_forecast } = (await play.call('GET', `/v1/goals/${id}`)).data;
        return status === 'active' && latest_forecast;
      }, `${name} being active`);
      return id;
    };
    const quiet = {
      shock_enabled: false,
      scheduled_events: false,
      auto_tournament: 'off',
      auto_discovery: 'off',
    };
    const hearing = { ...quiet, shock_enabled: true, scheduled_events: true, importance_bar: 0 };
    goal.others = await made('deaf', quiet, { skip_discovery: true });
    goal.mine = await made('hearing', hearing, {});
    const { edges } = (await play.call('GET', `/v1/goals/${goal.mine}`)).data;
    seen.edges += edges.validated;
    if (edges.validated === 0) return 'no edge';
    for (let step = begin + 1; step <= end; step++) {
      await play.until(step);
      const beat = timeOf(world, step);
      for (const id of [goal.mine, goal.others])
        await until(async () => {
          const latest = (await play.call('GET', `/v1/goals/${id}`)).data.latest_forecast;
          return Date.parse(latest.issued_at) >= beat;
        }, 'the forecast of a step');
      // What was recorded before this step's forecasts has been answered by now
      for (const [eventId, occurredAt] of ahead) {
        if (occurredAt <= beat) ahead.delete(eventId);
        else if (await hasShocked(play, goal.mine, eventId)) seen.forbidden++;
        else seen.early++;
      }
    }
    const mine = await forecastsOf(play, goal.mine);
    const others = await forecastsOf(play, goal.others);
    take(world, seen, mine, others, struck);
    const without = [...reasons].map(([reason, count]) => `${count}: ${reason}`).join('; ');
    return `${edges.validated} edges, ${struck.length} shocks (${without})`;
  } finally {
    await play.close();
  }
}

/** Adds what a world showed. */
function take(
  world: World,
  seen: Seen,
  mine: readonly Json[],
  others: readonly Json[],
  struck: readonly Struck[],
): void {
  for (const { stream, step, recordedAt } of struck) {
    const over = Math.max(timeOf(world, step + 1), recordedAt + world.stepMs / 4);
    const after = mine.filter(({ issued_at }) => Date.parse(issued_at) >= recordedAt);
    const event = stream.events.find(each => each.step === step && each.recordedAt === recordedAt);
    const first = newestBefore(after, over);
    const found = compared(world, first, newestBefore(others, over), stream, step);
    const isTrue = event !== undefined && event.strength !== 0;
    (isTrue ? seen.shocked : seen.wrong).push(...found);
    if (isTrue && first) seen.parts.push(...partsOf(world, first, firstHalfLife(stream, step)));
  }
  for (const forecast of mine) {
    const counts = seen.inside[forecast.shock_state === 'normal' ? 'normal' : 'shock'];
    for (const point of forecast.points as Json[]) {
      const value = world.target[stepOf(world, Date.parse(point.ts))];
      if (value === undefined || Number.isNaN(value)) continue;
      counts[1]++;
      if (value >= point.quantiles['0.1'] && value <= point.quantiles['0.9']) counts[0]++;
    }
    const first = Date.parse(forecast.points[0].ts);
    for (const { stream: key, offset_s: offset } of forecast.metadata.applied_events as Json[]) {
      const stream = world.streams.find(each => each.key === key);
      const same = newestBefore(others, Date.parse(forecast.issued_at) + world.stepMs / 4);
      if (stream && forecast.shock_state === 'normal')
        seen.scheduled.push(
          ...compared(world, forecast, same, stream, stepOf(world, first + offset * 1_000)),
        );
    }
  }
}

const folder = mkdtempSync(join(tmpdir(), 'presage-truth-'));
const seen: Seen = {
  ...{ shocked: [], wrong: [], parts: [], scheduled: [], shocks: 0, early: 0, forbidden: 0, edges: 0 },
  inside: { shock: [0, 0], normal: [0, 0] },
};
const sum = (losses: readonly Loss[], of: keyof Loss): number =>
  losses.reduce((total, loss) => total + loss[of], 0);
const line = (name: string, losses: readonly Loss[], wanted: string): string[] => [
  name,
  `${losses.length}`,
  ratio(sum(losses, 'mine') / losses.length),
  ratio(sum(losses, 'others') / losses.length),
  ratio(sum(losses, 'mine') / sum(losses, 'others')),
  wanted,
];
const tell = (): void => {
  table(
    ['loss in the first half-life, residual deviations', 'events', 'heard of', 'not', 'ratio', 'wanted'],
    [
      line('shocks with a true effect', seen.shocked, 'at most .80'),
      line('shocks without one', seen.wrong, 'at most 1.02'),
      line('scheduled events', seen.scheduled, 'at most .85'),
    ],
  );
  const parts = PARTS.map(
    part => `${part} ${ratio(seen.parts.reduce((total, one) => total + one[part], 0) / seen.parts.length)}`,
  );
  console.log(`parts of the ${seen.parts.length} shocks with a true effect: ${parts.join(', ')}`);
  console.log(`bands of 80% in shock hold ${said(rateOf(...seen.inside.shock))}; wanted 76 to 84`);
  console.log(`outside of it ${said(rateOf(...seen.inside.normal))}; wanted 78 to 82`);
  console.log(`shocks ${seen.shocks}, looks at events to come ${seen.early}; edges ${seen.edges}`);
  console.log(`shocks by events that were late or to come ${seen.forbidden}`);
};
try {
  const env = { ...rich(folder), RATE_DEFAULT: '1000000000', RATE_PUSH: '1000000000' };
  for (let i = 0; i < Number(options.worlds); i++) {
    const kind = kinds[i % kinds.length]!;
    const seed = Number(options.from) + Math.floor(i / kinds.length);
    const started = performance.now();
    const world = worldOf(seed, kind);
    if (struckIn(world) < Number(options.events)) {
      console.log(`${kind} ${seed}: too few events`);
      continue;
    }
    const what = await look(world, seen, env).catch((error: Error) => `broken: ${error.message}`);
    console.log(`${kind} ${seed}: ${what}, ${((performance.now() - started) / 1000).toFixed(0)} s`);
  }
} finally {
  tell();
  rmSync(folder, { recursive: true, force: true });
}
