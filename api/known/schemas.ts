import { array, nullable, object } from '../../json-schema.js';
import { edge } from '../discovery/answer-schemas.js';
import { forecast } from '../forecasts/schemas.js';
import { goal } from '../goals/answer-schemas.js';

const text = { type: 'string' } as const;
const time = { type: 'string', format: 'date-time' } as const;

export const goalParams = object({ goal_id: { ...text, examples: ['goa_0k3v9x1m2n4p5q6r'] } });
export const knownQuery = object({
  at: { ...text, description: 'a past moment', examples: ['2026-01-01T00:00:00Z'] },
});

const of = goal.properties;
export const knownAnswer = object({
  data: object({
    goal_id: text,
    at: time,
    as_of: time,
    name: of.name,
    status: of.status,
    version: of.version,
    known: object({
      target: text,
      data_cutoff: { ...nullable(time), description: 'the newest point of the target; null: there was none' },
      newest: array(object({ ts: time, value: nullable({ type: 'number' }) })),
    }),
    served: object({
      champion: of.champion,
      runner_up: of.runner_up,
      forecast: { ...nullable(forecast), description: 'the one in force, with what had come of it' },
      shock_state: of.shock_state,
      shock: of.shock,
    }),
    believed: object({
      edges: array(edge),
      bands: nullable(
        object({
          calibration: forecast.properties.metadata.properties.calibration,
          next: nullable(forecast.properties.points.items),
        }),
      ),
      health: of.health,
      health_reasons: of.health_reasons,
      accuracy: of.accuracy,
    }),
  }),
});
