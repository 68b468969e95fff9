import { edgeCommands } from '../../commands/edges/records.js';
import type { Finding } from '../../domain/maths/effects/answer.js';
import type { Running } from '../platform.js';
import { HOUR_S } from './segments-world.js';

const usual: Omit<Finding, 'kind' | 'sourceKey'> = {
  ...{ verdict: 'validated', reasons: [], direction: 'positive', lift: 0.2, liftInterval: [0.1, 0.3] },
  ...{ pValue: 0.001, qValue: 0.01, placeboP: 0.01, nOccurrences: 12, optimalLagS: HOUR_S },
  ...{ halfLifeS: HOUR_S, halfLifeInterval: null, responseCurve: null, response: null, stability: 0.9 },
  ...{ strength: 0.4, relationshipType: 'moderate', knownInAdvance: false, confounders: [] },
  confoundedBy: [],
};
/** Of an event of mean importance: so much in its step, the next and the one after. */
export const EFFECTS = [4, 2, 1];

/** An edge as a discovery validates it; its id. */
export async function validated(
  { platform, installed }: Running,
  goalId: string,
  kind: 'signal' | 'event_stream',
  sourceKey: string,
): Promise<string> {
  const curve = {
    ...{ stepS: HOUR_S, scale: 1, preTrendP: 0.5 },
    points: EFFECTS.map((effect, i) => ({
      ...{ offsetS: i * HOUR_S, effect, mean: effect, lower: effect, upper: effect, n: 12 },
    })),
  };
  const finding = { ...usual, kind, sourceKey, responseCurve: kind === 'signal' ? null : curve };
  const at = platform.clock();
  const context = {
    ...{ workspace: installed.workspaceId, actor: 'scheduler:test', request: null, at },
    ...{ correlation: platform.newId(), causation: null },
  };
  const check = { checkId: 'dsc_1', asOf: at, alpha: 0.05 };
  const commands = edgeCommands(platform);
  const { position, after } = await commands.check(installed.workspaceId, goalId, finding, check, context);
  await platform.visible(position);
  if (after.status === 'none') throw new Error('there is no edge');
  return after.edgeId;
}
