import { HOURLY, type Looking } from '../commands/alerts/looking.js';
import { checkOf, type AlertCommands } from '../commands/alerts/records.js';
import type { Context } from '../commands/engine/handle.js';
import { StoreUnavailable } from '../commands/ports/event-store.js';
import type { Log } from '../commands/ports/log.js';
import type { Verdict } from '../domain/alerts/commands.js';
import { alerts } from '../domain/alerts/decider.js';
import { natures } from '../domain/alerts/kinds.js';
import { isMuted } from '../domain/alerts/state.js';
import { beatAt } from '../domain/forecasts/cadence.js';
import { isReserved } from '../domain/aliases.js';
import type { GoalSettings } from '../domain/goals/settings.js';
import { HOUR } from '../domain/time.js';
import type { AlertDoc } from '../projections/alerts/documents.js';
import type { AlertQueries } from '../projections/alerts/queries.js';
import type { Running } from './engine/follow.js';
import { rounds } from './engine/rounds.js';
import { shares } from './shares.js';

type Deps = {
  readonly queries: Pick<AlertQueries, 'enabled'>;
  readonly commands: Pick<AlertCommands, 'check' | 'rest'>;
  readonly look: Pick<Looking, 'now'>;
  /** Settings of those of some goals of a workspace that are active, by id. */
  readonly active: (
    workspace: string,
    goalIds: readonly string[],
  ) => Promise<ReadonlyMap<string, GoalSettings>>;
  /** What an archived workspace has rests. */
  readonly isArchived: (workspace: string) => boolean | Promise<boolean>;
  /** Says that the platform is up. */
  readonly tellUp: () => Promise<void>;
  readonly clock: () => number;
  readonly newId: () => string;
  readonly visible: (position: number | null) => Promise<unknown>;
  readonly log: Log;
};

const EVERY_MS = 1_000;
const FAILED = 'alerts could not be checked; tried again';

/** What was remembered of a rule that was not met for so long is forgotten. */
const FORGOTTEN_MS = HOUR;

/**
 * Checks rules at each beat of their goal's cadence (hourly where they have none) and when something of them
 * comes due; what only says how a goal stands, at each look. What it remembers saves looks alone.
 * A workspace with many rules has some of them checked in each round, so that no other waits for all of them.
 */
export function alertRounds(deps: Deps): Running {
  const { queries, commands, look: looking, clock, newId, log } = deps;
  /** The last beat at which a rule was checked, and when it was met last, by rule; epoch ms. */
  const beats = new Map<string, { readonly beat: number; readonly met: number }>();
  const look = shares(queries.enabled);

  const settle = async (doc: AlertDoc, goals: ReadonlyMap<string, GoalSettings>): Promise<void> => {
    const { workspace, alert_id: alertId, goal_id: goalId, state } = doc;
    const now = clock();
    const settings = goalId === null ? null : goals.get(goalId);
    if (settings === undefined || isMuted(state.settings, now)) return;
    const of = { workspace, alertId };
    const beat = beatAt(settings ?? HOURLY, now);
    const isDue = doc.due_at !== null && doc.due_at <= now;
    const isBeat = beat > doc.changed_at && beats.get(doc._id)?.beat !== beat;
    if (isDue && state.phase === 'resolved')
      return void (await deps.visible((await commands.rest(of, contextOf(workspace, now))).position));
    if (!isDue && !isBeat && !isWatched(doc)) return;
    const goal = settings && { goalId: goalId!, settings };
    const seen = await looking
      .now({ workspace, watched: state.settings.watched, goal, now })
      .catch((err: unknown) => {
        log.error({ err, alert: alertId }, FAILED);
        return err instanceof StoreUnavailable ? null : { verdict: OURS, key: null };
      });
    if (isBeat) beats.set(doc._id, { beat, met: now });
    if (!seen) return;
    const key = seen.key ?? (isDue && !isBeat ? `due:${doc.due_at}` : `beat:${beat}`);
    await check(doc, key, seen.verdict, now);
  };

  const check = async (doc: AlertDoc, key: string, verdict: Verdict, at: number): Promise<void> => {
    const { workspace, alert_id: alertId, state } = doc;
    const checks = [checkOf({ workspace, alertId }, key, verdict)];
    const data = { workspace, alertId, checks, at, position: null };
    const command = { type: 'CheckAlert', data } as const;
    if (alerts.decide(command, state).length === 0) return;
    const context = contextOf(workspace, at);
    const { position } = await commands.check({ workspace, alertId }, checks, null, context);
    await deps.visible(position);
  };

  const contextOf = (workspace: string, at: number): Context => ({
    ...{ workspace, actor: 'scheduler:alerts', request: null, correlation: newId(), causation: null, at },
  });

  const ofWorkspace = async (workspace: string, docs: readonly AlertDoc[], goesOn: () => boolean) => {
    if (await deps.isArchived(workspace)) return;
    const goalIds = [...new Set(docs.flatMap(({ goal_id }) => goal_id ?? []))];
    const goals = await deps.active(workspace, goalIds);
    for (const doc of docs) {
      if (!goesOn()) return;
      await settle(doc, goals).catch((err: unknown) => log.error({ err, alert: doc.alert_id }, FAILED));
    }
  };

  const round = async (goesOn: () => boolean): Promise<void> => {
    for await (const page of look()) {
      const met = clock();
      for (const { _id } of page) {
        const known = beats.get(_id);
        if (known) beats.set(_id, { ...known, met });
      }
      for (const workspace of new Set(page.map(doc => doc.workspace))) {
        const docs = page.filter(doc => doc.workspace === workspace);
        await ofWorkspace(workspace, docs, goesOn).catch((err: unknown) =>
          log.error({ err, workspace }, FAILED),
        );
      }
      if (!goesOn()) return;
    }
    for (const [id, { met }] of beats) if (met < clock() - FORGOTTEN_MS) beats.delete(id);
  };
  // However long a round takes, the platform is up
  const all = [
    rounds(EVERY_MS, log, 'that the platform is up could not be told; tried again', deps.tellUp),
    rounds(EVERY_MS, log, FAILED, round),
  ];
  return {
    async stop() {
      await Promise.all(all.map(each => each.stop()));
    },
  };
}

/** A fault of ours. */
const OURS: Verdict = { code: 'internal_error', message: 'Internal error' };

/** It is looked at each time: what it watches is a state, or events that lie with somebody else. */
const isWatched = ({ kind, state }: AlertDoc): boolean => {
  const { params } = state.settings.watched;
  return natures[kind].at === 'state' || ('stream' in params && isReserved(params.stream));
};
