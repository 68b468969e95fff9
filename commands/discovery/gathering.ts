import { gridOf, stepMeans, type Grid } from '../../domain/discovery/grid.js';
import { alphaFor, type DiscoveryStarted, type Source } from '../../domain/discovery/facts.js';
import type { TargetHistory } from '../../domain/goals/ports.js';
import type { Candidate, EffectsQuestion } from '../../domain/maths/effects/question.js';
import { SECOND } from '../../domain/time.js';
import { edgeIdOf } from '../edges/records.js';
import type { DiscoveryReads } from './ports.js';

/** Of longer targets the newest steps count, and of streams with more events the newest. */
export const MOST_STEPS = 10_000;
const MOST_EVENTS = 500;

export type Gathered = {
  readonly question: EffectsQuestion;
  readonly steps: number;
  readonly points: number;
  readonly events: number;
};

/**
 * Reads what a discovery is asked with, one source after the other: of each no more than as many numbers as
 * the target has steps, or the newest events. Throws what ends `signal`.
 */
export async function gathered(
  reads: Pick<DiscoveryReads, 'points' | 'events'>,
  workspace: string,
  started: DiscoveryStarted['data'],
  { series }: TargetHistory,
  sources: readonly Source[],
  signal: AbortSignal,
): Promise<Gathered> {
  const { subject, settings, goalId, asOf } = started;
  const grid = gridOf(series, subject);
  const candidates: Candidate[] = [];
  const count = { points: 0, events: 0 };
  for (const { kind, sourceKey } of sources) {
    signal.throwIfAborted();
    const span = { from: grid.from, to: grid.to - 1, asOf };
    const alpha = alphaFor(started, edgeIdOf({ goalId, kind, sourceKey }));
    if (kind === 'event_stream') {
      const events = await reads.events(workspace, sourceKey, { ...span, most: MOST_EVENTS });
      count.events += events.length;
      candidates.push({ kind, key: sourceKey, alpha, events: events.map(event => placed(event, grid)) });
    } else {
      const means = stepMeans(grid, subject.stepS);
      for await (const { times, values } of reads.points(workspace, sourceKey, span)) {
        signal.throwIfAborted();
        count.points += times.length;
        means.add(times, values);
      }
      candidates.push({ kind, key: sourceKey, alpha, series: means.series() });
    }
  }
  const { stepS, horizon } = subject;
  const { maxLagS, seed } = settings;
  const maxLag = maxLagS === null ? null : Math.max(1, Math.floor(maxLagS / stepS));
  return {
    question: {
      ...{ target: grid.target, stepMs: stepS * SECOND, horizon, candidates },
      settings: { alpha: settings.alpha, maxLag, seed },
    },
    ...{ steps: grid.steps, ...count },
  };
}

/** An event on steps of equal length; whether it was known in advance stays as it is. */
function placed<E extends { readonly occurredAt: number; readonly recordedAt: number }>(
  event: E,
  grid: Grid,
): E {
  const occurredAt = grid.placed(event.occurredAt);
  return { ...event, occurredAt, recordedAt: event.recordedAt + occurredAt - event.occurredAt };
}
