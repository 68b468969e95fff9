import type { Fact } from '../fact.js';
import type { ScenarioCreated, ScenarioFact, ScenarioResult, ScenarioRunRequested } from './facts.js';

export const SCENARIO_STATUSES = ['queued', 'running', 'completed', 'failed'] as const;
export type ScenarioStatus = (typeof SCENARIO_STATUSES)[number];
export const isOpen = (status: ScenarioStatus): boolean => status === 'queued' || status === 'running';

export type KnownScenario = {
  readonly status: ScenarioStatus;
  readonly created: ScenarioCreated['data'];
  readonly createdAt: number;
  /** The newest run, and when it was asked for. */
  readonly run: ScenarioRunRequested['data'];
  readonly requestedAt: number;
  readonly result: ScenarioResult | null;
  readonly error: { readonly code: string; readonly message: string } | null;
  readonly finishedAt: number | null;
  /** Runs that came to their end, as ledgers name them: the ones that are paid. */
  readonly completed: readonly string[];
};
/** `deleted`: it was there, and its id stays taken. */
export type ScenarioState =
  | { readonly status: 'none' }
  | { readonly status: 'deleted'; readonly completed: readonly string[] }
  | KnownScenario;
export const initialState: ScenarioState = { status: 'none' };

export const isThere = (state: ScenarioState): state is KnownScenario => 'created' in state;

type Created = { readonly data: ScenarioCreated['data']; readonly at: number };

export function evolve(state: ScenarioState, fact: Fact<ScenarioFact>): ScenarioState {
  switch (fact.type) {
    case 'ScenarioCreated':
      return begun(fact);
    case 'ScenarioDeleted':
      return { status: 'deleted', completed: isThere(state) ? state.completed : [] };
    default:
      return isThere(state) ? { ...state, ...further(state, fact) } : state;
  }
}

const begun = ({ data, at }: Created): KnownScenario => ({
  ...{ status: 'queued', created: data, createdAt: at, requestedAt: at, run: noRun(data) },
  ...{ result: null, error: null, finishedAt: null, completed: [] },
});

/** Its first run is written together with it, and follows at once. */
const noRun = ({ scenarioId, goalId }: ScenarioCreated['data']): ScenarioRunRequested['data'] => ({
  ...{ scenarioId, goalId, run: 0, baseForecastId: '', asOf: 0, horizon: 0, atOnce: true, paidAs: '' },
  price: { item: '', quantity: 0, rate: '0', ratesVersion: '', amount: 0 },
});

type Further = Exclude<Fact<ScenarioFact>, { readonly type: 'ScenarioCreated' | 'ScenarioDeleted' }>;

function further({ completed, run }: KnownScenario, fact: Further): Partial<KnownScenario> {
  switch (fact.type) {
    case 'ScenarioRunRequested':
      return {
        ...{ status: 'queued', run: fact.data, requestedAt: fact.at },
        ...{ result: null, error: null, finishedAt: null },
      };
    case 'ScenarioRunStarted':
      return { status: 'running' };
    case 'ScenarioRunCompleted': {
      const { result } = fact.data;
      return { status: 'completed', result, finishedAt: fact.at, completed: [...completed, run.paidAs] };
    }
    case 'ScenarioRunFailed': {
      const { code, message } = fact.data;
      return { status: 'failed', error: { code, message }, finishedAt: fact.at };
    }
  }
}

/** From 0 to 1. */
export const progressOf = ({ status }: Pick<KnownScenario, 'status'>): number =>
  ({ queued: 0, running: 0.5, completed: 1, failed: 1 })[status];
