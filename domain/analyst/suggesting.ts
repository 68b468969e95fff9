import type { Intent } from './intents.js';
import { textAt, type Situation } from './situation.js';

/** A call of this API that answers further. `body` null: it has none. */
export type SuggestedCall = {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>> | null;
};

const get = (path: string): SuggestedCall => ({ method: 'GET', path, body: null });

/** Calls that can be made as the goal stands. */
export function suggestedFor(intent: Intent, situation: Situation): SuggestedCall[] {
  const { goal, latest, previous } = situation;
  const path = `/v1/goals/${goal.id}`;
  const ofLatest = latest ? [get(`${path}/forecasts/${latest.id}`)] : [];
  const explained = latest ? [get(`${path}/forecasts/${latest.id}/explain`)] : [];
  const compared =
    latest && previous ? [get(`${path}/forecasts/compare?a=${previous.id}&b=${latest.id}`)] : [];
  const calls: Readonly<Record<Intent, readonly SuggestedCall[]>> = {
    why_changed: [...explained, ...compared],
    what_next: ofLatest,
    what_if: scenarioIn(path, situation),
    accuracy: [get(`${path}/accuracy`)],
    drivers: explained,
    event_effect: scenarioIn(path, situation),
    compare: compared,
    data_quality: [get(path)],
    unknown: [get(`${path}/analyst/brief`)],
  };
  return calls[intent].length > 0 ? [...calls[intent]] : [get(path)];
}

/** A scenario that can be made: of the strongest edge, or of the target where there is none. */
function scenarioIn(path: string, { goal, latest, edges }: Situation): SuggestedCall[] {
  if (!latest || textAt(goal, 'status') === 'archived') return [];
  const stream = edges.find(edge => textAt(edge, 'kind') === 'event_stream');
  const [signal] = edges;
  const key = textAt(signal ?? null, 'source_key') ?? textAt(goal, 'target');
  const assumption = stream
    ? {
        ...{ kind: 'event_add', stream: textAt(stream, 'source_key') },
        occurred_at: textAt(latest, 'points[0].ts'),
      }
    : { kind: 'signal_scale', key, factor: 1.1 };
  const body = { name: 'What if', base: latest.id, assumptions: [assumption] };
  return [{ method: 'POST', path: `${path}/scenarios`, body }];
}
