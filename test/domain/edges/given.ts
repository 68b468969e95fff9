import { fold } from '../../../domain/decider.js';
import type { EdgeCommand } from '../../../domain/edges/commands.js';
import { edges } from '../../../domain/edges/decider.js';
import type { EdgeFact, Measured } from '../../../domain/edges/facts.js';
import type { EdgeState, KnownEdge } from '../../../domain/edges/state.js';
import type { Fact } from '../../../domain/fact.js';

export const of = { workspace: 'w', edgeId: 'edg_1' } as const;
const whose = { edgeId: 'edg_1', goalId: 'goa_1', kind: 'event_stream', sourceKey: 'news' } as const;
export const measured = (over: Partial<Measured> = {}): Measured => ({
  ...{ direction: 'positive', lift: 0.2, liftInterval: [0.1, 0.3], pValue: 0.001, qValue: 0.01 },
  ...{ placeboP: 0.01, nOccurrences: 12, optimalLagS: 3_600, halfLifeS: 7_200, halfLifeInterval: null },
  ...{ responseCurve: null, response: null, stability: 0.9, strength: 0.4, relationshipType: 'moderate' },
  ...{ knownInAdvance: false, confounders: [], confoundedBy: [] },
  ...over,
});

let checks = 0;
/** Another check each time. */
export const check = (
  isValid: boolean,
  over: Partial<Measured> = {},
  id = `c${++checks}`,
  alpha = 0.05,
): EdgeCommand => ({
  type: 'CheckEdge',
  data: {
    ...{ workspace: 'w', ...whose, checkId: id, asOf: 1, alpha, isValid },
    reasons: isValid ? [] : [{ code: 'placebo', text: 'shifted times did as well' }],
    measured: measured(over),
  },
});
export const PASSES = (): EdgeCommand => check(true);
/** Found, yet not validated. */
export const FOUND = (): EdgeCommand => check(false, { qValue: 0.07, placeboP: 0.3 });
export const NOTHING = (): EdgeCommand => check(false, { qValue: 0.6, lift: 0.01 });

export class History {
  state: EdgeState = edges.initialState;
  #at = 0;

  /** Types of what was decided. */
  does(command: EdgeCommand): string[] {
    const at = ++this.#at;
    const facts = edges.decide(command, this.state);
    this.state = fold(
      edges,
      this.state,
      facts.map(fact => ({ ...fact, at }) as Fact<EdgeFact>),
    );
    return facts.map(({ type }) => type);
  }

  all(...commands: readonly EdgeCommand[]): this {
    for (const command of commands) this.does(command);
    return this;
  }

  get known(): KnownEdge {
    if (this.state.status === 'none') throw new Error('there is no edge');
    return this.state;
  }
}
