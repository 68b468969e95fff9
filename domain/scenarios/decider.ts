import type { Decider } from '../decider.js';
import type { Message } from '../fact.js';
import { mindVersion } from '../versions.js';
import type {
  ScenarioCreated,
  ScenarioFact,
  ScenarioRunCompleted,
  ScenarioRunFailed,
  ScenarioRunRequested,
} from './facts.js';
import { invalidState, scenarioNotFound } from './refusals.js';
import { evolve, initialState, isOpen, isThere, type KnownScenario, type ScenarioState } from './state.js';

type Of = { readonly workspace: string; readonly scenarioId: string };
type Made = Pick<ScenarioRunCompleted['data'], 'result' | 'codeVersion'>;
/** `made`: what came of it at once; null: it waits for its turn. */
type Running = { readonly requested: ScenarioRunRequested['data']; readonly made: Made | null };

/** Under an id that is taken nothing is made. */
export type CreateScenario = Message<
  'CreateScenario',
  Of & { readonly scenario: ScenarioCreated['data'] } & Running
>;
/** Once more. */
export type RunScenario = Message<'RunScenario', Of & Running>;
type OfRun = Of & { readonly run: number };
export type StartRun = Message<'StartRun', OfRun>;
export type CompleteRun = Message<'CompleteRun', OfRun & Made>;
export type FailRun = Message<'FailRun', OfRun & Pick<ScenarioRunFailed['data'], 'code' | 'message'>>;
/** `seen`: the version the caller saw, which is the number of its run; null: whichever it is. */
export type DeleteScenario = Message<'DeleteScenario', Of & { readonly seen: number | null }>;
export type ScenarioCommand =
  | CreateScenario
  | RunScenario
  | StartRun
  | CompleteRun
  | FailRun
  | DeleteScenario;

function decide(command: ScenarioCommand, state: ScenarioState): readonly ScenarioFact[] {
  if (command.type === 'CreateScenario') {
    const { scenario } = command.data;
    return state.status === 'none'
      ? [{ type: 'ScenarioCreated', data: scenario }, ...runOf(command.data)]
      : [];
  }
  if (!isThere(state)) throw scenarioNotFound(command.data.scenarioId);
  switch (command.type) {
    case 'RunScenario':
      // Somebody else began the run of this number, and it may be over by now
      if (isOpen(state.status) || command.data.requested.run !== state.run.run + 1)
        throw invalidState(state.status, 'be run again just now');
      return runOf(command.data);
    case 'StartRun':
      return state.status === 'queued' && isThis(command, state)
        ? [{ type: 'ScenarioRunStarted', data: ofRun(state) }]
        : [];
    case 'CompleteRun': {
      const { result, codeVersion } = command.data;
      return isOpen(state.status) && isThis(command, state)
        ? [{ type: 'ScenarioRunCompleted', data: { ...ofRun(state), result, codeVersion } }]
        : [];
    }
    case 'FailRun': {
      const { code, message } = command.data;
      return isOpen(state.status) && isThis(command, state)
        ? [{ type: 'ScenarioRunFailed', data: { ...ofRun(state), code, message } }]
        : [];
    }
    case 'DeleteScenario': {
      mindVersion('The scenario', command.data.seen, state.run.run);
      const { scenarioId, goalId } = state.created;
      return [{ type: 'ScenarioDeleted', data: { scenarioId, goalId } }];
    }
  }
}

const isThis = ({ data }: StartRun | CompleteRun | FailRun, { run }: KnownScenario): boolean =>
  data.run === run.run;

const ofRun = ({ run: { scenarioId, goalId, run } }: Pick<KnownScenario, 'run'>) => ({
  ...{ scenarioId, goalId, run },
});

const runOf = ({ requested, made }: Running): readonly ScenarioFact[] => [
  { type: 'ScenarioRunRequested', data: requested },
  ...(made
    ? [{ type: 'ScenarioRunCompleted', data: { ...ofRun({ run: requested }), ...made } } as const]
    : []),
];

/** Of the journal, within its category. */
export const scenarioJournalId = (workspace: string, scenarioId: string): string =>
  `${workspace}.${scenarioId}`;

/** What would be if something else were so. */
export const scenarios: Decider<ScenarioCommand, ScenarioFact, ScenarioState> = {
  category: 'scenario',
  idOf: ({ data }) => scenarioJournalId(data.workspace, data.scenarioId),
  initialState,
  decide,
  evolve,
};
