import type { EffectsAnswer } from '../../domain/maths/effects/answer.js';
import type { Candidate, EffectsQuestion, EventSeen } from '../../domain/maths/effects/question.js';
import type { Scores } from '../../domain/events/scoring.js';
import type { Series } from '../../domain/maths/series/series.js';
import type { Said } from './judge.js';
import { timeOf, type World, type WorldEvent } from './world.js';

/** What the platform's scorer says of a text. */
export type ScoreText = (text: string) => Promise<Pick<Scores, 'importance' | 'impact'>>;

/** Steps ahead that the goals of worlds forecast. */
export const HORIZON = 12;

/**
 * What discovery is asked at the end of a world: everything that is known by then, corrected as it was, and
 * nothing of what each source is.
 */
export async function questionOf(world: World, score: ScoreText): Promise<EffectsQuestion> {
  const end = timeOf(world, world.steps);
  const candidates: Candidate[] = [];
  for (const { key, events } of world.streams) {
    const known = events.filter(({ recordedAt }) => recordedAt <= end);
    const seen = await Promise.all(known.map(each => seenOf(each, score)));
    candidates.push({ kind: 'event_stream', key, events: seen });
  }
  for (const { key, values } of world.signals)
    candidates.push({ kind: 'signal', key, series: seriesOf(world, values) });
  return {
    target: seriesOf(world, world.target),
    stepMs: world.stepMs,
    horizon: HORIZON,
    candidates,
    settings: { alpha: 0.05, maxLag: null, seed: 1 },
  };
}

async function seenOf({ occurredAt, recordedAt, text, value }: WorldEvent, score: ScoreText) {
  const { importance, impact } = await score(text);
  return { occurredAt, recordedAt, importance, impact, value } satisfies EventSeen;
}

function seriesOf(world: World, values: Float64Array): Series {
  const steps = Array.from(values.keys()).filter(step => !Number.isNaN(values[step]!));
  return { times: steps.map(step => timeOf(world, step)), values: steps.map(step => values[step]!) };
}

/** What it answered, as the judge reads it. */
export const saidOf = ({ stepMs }: World, { findings }: EffectsAnswer): Said[] =>
  findings.map(({ kind, sourceKey, verdict, reasons, halfLifeS, optimalLagS }) => ({
    key: sourceKey,
    validated: verdict === 'validated',
    reasons: reasons.map(({ code }) => code),
    halfLifeSteps: halfLifeS === null ? null : (halfLifeS * 1000) / stepMs,
    peakSteps: kind === 'event_stream' && optimalLagS !== null ? (optimalLagS * 1000) / stepMs : null,
    leadSteps: kind === 'signal' && optimalLagS !== null ? (optimalLagS * 1000) / stepMs : null,
  }));
