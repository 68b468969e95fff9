import { fairTurn } from '../../fair-turns.js';
import type { NotePage } from '../../domain/ingestion/polls/execution-facts.js';
import type { Execution } from '../../domain/ingestion/polls/state.js';
import { MOST_ERRORS } from '../../domain/ingestion/deliveries.js';
import { readersOf, type Readers } from '../../domain/ingestion/event-config.js';
import { eventsIn, rowsIn, type ItemFault } from '../../domain/ingestion/items.js';
import type { Source } from '../../domain/ingestion/sources/state.js';
import type { Rejected } from '../../domain/rejected.js';
import type { Context } from '../engine/handle.js';
import { PollFailed, type Connector, type PolledPage } from './connectors.js';
import { faultOf } from './faults.js';
import { incomingEvents, incomingPoints, type Intake, type Taken } from './intake.js';
import type { JobCommands } from './jobs.js';
import type { SourceCommands } from './sources.js';

export type PollingDeps = {
  readonly sources: Pick<SourceCommands, 'found'>;
  readonly jobs: Pick<JobCommands, 'execution'>;
  readonly intake: Intake;
  /** By the ids of the connectors whose sources are asked. */
  readonly connectors: ReadonlyMap<string, Connector>;
  /** What a workspace may still write this month. */
  readonly allowance: {
    readonly refusal: (workspace: string) => Promise<Rejected | null>;
    readonly wrote: (workspace: string, rows: number) => void;
  };
  readonly contextOf: (workspace: string) => Context;
  /** Waits, a bounded time, until the read models hold what was written at these positions. */
  readonly shown: (positions: Positions) => Promise<void>;
};
type Positions = Taken['positions'];
const none: Positions = { events: null, signals: null };
const later = (before: Positions, { events, signals }: Positions): Positions => ({
  events: events ?? before.events,
  signals: signals ?? before.signals,
});
type Run = { readonly workspace: string; readonly executionId: string };

/**
 * Works on a run: page after page into events and signals, each noted when all of it is there; cut short it
 * goes on behind the last that was noted. Answers the position of the last fact; null: there is none.
 */
export async function runExecution(deps: PollingDeps, run: Run, signal: AbortSignal): Promise<number | null> {
  const { jobs, contextOf } = deps;
  const context = contextOf(run.workspace);
  const begin = { type: 'BeginExecution', data: { ...run, now: context.at } } as const;
  const { after, position } = await jobs.execution(begin, context);
  const { execution } = after;
  if (execution?.status !== 'running') return position;
  try {
    const written = execution.isRead ? none : await readPages(deps, run, execution, signal);
    if (!written) return null;
    // Who sees a run at its end sees what came of it
    await deps.shown(written);
    const ended = await jobs.execution({ type: 'EndExecution', data: run }, contextOf(run.workspace));
    return ended.position;
  } catch (error) {
    if (signal.aborted) return null;
    const fault = faultOf(error);
    if (!fault) throw error;
    const now = contextOf(run.workspace);
    const data = { ...run, attempt: execution.attempt, now: now.at, ...fault };
    return (await jobs.execution({ type: 'FailAttempt', data }, now)).position;
  }
}

/** Answers where the last of it was written; null: it is no longer to be worked on. */
async function readPages(deps: PollingDeps, run: Run, execution: Execution, signal: AbortSignal) {
  const source = await deps.sources.found(run.workspace, execution.sourceId);
  const connector = deps.connectors.get(source.connectorId);
  if (!connector || source.config === null)
    throw new PollFailed('invalid_data', 'The source cannot be asked');
  const readers = readersOf(source.eventConfig);
  const polling = {
    ...{ config: source.config, cursor: execution.cursor, pagesRead: execution.pages, signal },
    itemsPath: source.eventConfig.arrayPath,
  };
  let number = execution.pages;
  let written = none;
  for await (const page of connector.pages(polling)) {
    const { cursor, isLast, bytes } = page;
    if (signal.aborted) return null;
    const refusal = await deps.allowance.refusal(run.workspace);
    if (refusal) throw refusal;
    const taken = await takenPage(deps, run, execution, { source, readers, page, signal });
    if (!taken) return null;
    written = later(written, taken.positions);
    const data: NotePage['data'] = { ...run, page: number, ...taken.made, bytes, cursor, isLast };
    const noted = await deps.jobs.execution({ type: 'NotePage', data }, deps.contextOf(run.workspace));
    if (noted.facts.length === 0) return null;
    number++;
    if (isLast) break;
  }
  return signal.aborted ? null : written;
}

type Taking = {
  readonly source: Source;
  readonly readers: Readers;
  readonly page: PolledPage;
  readonly signal: AbortSignal;
};

/** All items of a page into events or signals; null: it was cut short. */
async function takenPage(
  { intake, allowance, contextOf }: PollingDeps,
  { workspace }: Run,
  { sourceId, queuedAt }: Execution,
  { source, readers, page, signal }: Taking,
) {
  const sum = { read: 0, accepted: 0, duplicates: 0, rejected: 0 };
  const errors: ItemFault[] = [];
  let positions = none;
  for await (const items of page.parts) {
    const from = sum.read;
    if (from > 0) await fairTurn(workspace);
    if (signal.aborted) return null;
    sum.read += items.length;
    const { incoming, rejected } = incomingOf(items, source, readers, queuedAt);
    const taken = await intake({ workspace, sourceId, ...incoming }, contextOf(workspace));
    const refused = [...rejected, ...taken.errors].map(each => ({ ...each, index: each.index + from }));
    sum.accepted += taken.accepted;
    sum.duplicates += taken.duplicates;
    sum.rejected += refused.length;
    errors.push(...refused.slice(0, MOST_ERRORS - errors.length));
    allowance.wrote(workspace, taken.accepted);
    positions = later(positions, taken.positions);
  }
  return { made: { ...sum, errors }, positions };
}

/** What tells no time is of when the run was asked for, so that a page that comes again is the same. */
function incomingOf(items: readonly unknown[], source: Source, readers: Readers, queuedAt: number) {
  const { eventConfig } = source;
  if (source.kind === 'signal') {
    const { series, rejected } = rowsIn(items, eventConfig, readers, queuedAt);
    return { incoming: { events: [], points: incomingPoints(series) }, rejected };
  }
  const { events, rejected } = eventsIn(items, eventConfig, readers, queuedAt);
  const timed = events.map(event => ({ ...event, occurredAt: event.occurredAt ?? queuedAt }));
  return { incoming: { events: incomingEvents(timed, eventConfig, Infinity), points: [] }, rejected };
}
