import { signals } from '../domain/signals/decider.js';
import { pointsIn } from '../domain/signals/recording.js';
import type { SignalState } from '../domain/signals/state.js';
import type { SignalCommand } from '../domain/signals/commands.js';
import type { SignalFact, SignalOrigin } from '../domain/signals/facts.js';
import type { Context, Handle, KnownState, Outcome } from './engine/handle.js';
import { begunInTurns, turns } from './engine/turns.js';

/** Points of one signal in the order given; times (epoch ms) may repeat. */
export type Push = {
  readonly key: string;
  readonly times: readonly number[];
  readonly values: readonly number[];
  readonly unit: string | null;
  readonly origin: SignalOrigin;
  /** Times that have a value keep it. */
  readonly keepKnown?: boolean;
};
export type Pushed = {
  readonly key: string;
  readonly recorded: number;
  readonly revised: number;
  /** Known before, with the same value. */
  readonly duplicates: number;
  readonly position: number | null;
};

/** Some times of a signal. */
export type Times = { readonly key: string; readonly times: readonly number[] };
/**
 * What read models hold of signals, each with the points at its times. A signal that has none yet: the
 * beginning, or the end of its life before. It spares the reading of long journals: what is out of date is
 * noticed at the append, and the facts behind it are read then.
 */
export type KnownSignals = (
  workspace: string,
  of: readonly Times[],
) => Promise<readonly KnownState<SignalState>[]>;

/** Signals of one push that one turn is for. */
const SIGNALS_A_TURN = 25;

export type SignalCommands = ReturnType<typeof signalCommands>;

export const signalCommands = (handle: Handle, knownSignals: KnownSignals) => {
  const inTurn = turns<Outcome<SignalFact, SignalState>>();

  /**
   * Many at once to one signal: each goes on from where the one before it ended, for read models come after.
   */
  const handleInTurn = (
    workspace: string,
    command: SignalCommand,
    context: Context,
    known: KnownState<SignalState>,
    times: readonly number[],
  ) =>
    inTurn(`${workspace}/${command.data.key}`, async before =>
      handle(signals, command, context, before && beyond(before, times) ? goingOn(before) : known),
    );

  async function pushOne(
    workspace: string,
    push: Push,
    context: Context,
    known: KnownState<SignalState>,
  ): Promise<Pushed> {
    const { key, unit, origin, keepKnown = false } = push;
    let recorded = 0;
    let revised = 0;
    let last: number | null = null;
    for (const { times, values } of partsOf(push)) {
      const data = { workspace, key, times, values, unit, origin, keepKnown, now: context.at };
      const command = { type: 'RecordPoints', data } as const;
      const { facts, position } = await handleInTurn(workspace, command, context, known, times);
      const written = pointsIn(facts);
      recorded += written.recorded;
      revised += written.revised;
      last = position ?? last;
    }
    return { key, recorded, revised, duplicates: push.times.length - recorded - revised, position: last };
  }

  async function handleAlone(workspace: string, key: string, command: SignalCommand, context: Context) {
    const [known] = await knownSignals(workspace, [{ key, times: [] }]);
    return handleInTurn(workspace, command, context, known!, []);
  }

  return {
    /** Records points of signals, each by itself. @throws Rejected 403 for a signal that is subscribed */
    async push(workspace: string, pushes: readonly Push[], context: Context): Promise<Pushed[]> {
      // What is known of signals is asked for with their turn: by then others may have pushed to them
      const parts = await begunInTurns(workspace, pushes, SIGNALS_A_TURN, async some => {
        const known = await knownSignals(workspace, some);
        return Promise.all(some.map((one, i) => pushOne(workspace, one, context, known[i]!)));
      });
      return parts.flat();
    },
    assignUnit: (workspace: string, key: string, unit: string | null, context: Context) =>
      handleAlone(workspace, key, { type: 'AssignUnit', data: { workspace, key, unit } }, context),
    assignGroup: (workspace: string, key: string, group: string | null, context: Context) =>
      handleAlone(workspace, key, { type: 'AssignGroup', data: { workspace, key, group } }, context),
    /** Null takes the name away. */
    name: (workspace: string, key: string, name: string | null, context: Context) =>
      handleAlone(workspace, key, { type: 'NameSignal', data: { workspace, key, name } }, context),
    /** Ends the signal's present life, with all its points. */
    delete: (workspace: string, key: string, context: Context) =>
      handleAlone(workspace, key, { type: 'DeleteSignal', data: { workspace, key } }, context),
  };
};

/**
 * So many points are sure to fit into one append; fewer where times repeat, for then each point may be a fact
 * of its own.
 */
const MOST_AT_ONCE = 5_000;
const MOST_REPEATED = 1_000;

function partsOf({ times, values }: Push): Pick<Push, 'times' | 'values'>[] {
  if (times.length <= MOST_REPEATED) return [{ times, values }];
  const most = new Set(times).size === times.length ? MOST_AT_ONCE : MOST_REPEATED;
  return Array.from({ length: Math.ceil(times.length / most) }, (_, n) => ({
    times: times.slice(n * most, (n + 1) * most),
    values: values.slice(n * most, (n + 1) * most),
  }));
}

/** Points later than all that a state knows need nothing of what lies before them. */
const beyond = ({ after }: Outcome<SignalFact, SignalState>, times: readonly number[]): boolean =>
  after.status === 'none' || times.every(time => time > after.last);

const goingOn = ({
  after,
  revision,
  position,
}: Outcome<SignalFact, SignalState>): KnownState<SignalState> => ({
  state: after.status === 'live' ? { ...after, layers: [] } : after,
  revision,
  position,
});
