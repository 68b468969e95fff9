import type { Beside } from '../api/goals/deps.js';
import { alertRows } from '../api/alerts/rows.js';
import { looking } from '../commands/alerts/looking.js';
import { alertCommands } from '../commands/alerts/records.js';
import { alertFrames } from '../domain/alerts/frames.js';
import { alertsProjection } from '../projections/alerts/projection.js';
import { alertQueries } from '../projections/alerts/queries.js';
import { eventsProjection } from '../projections/events/projection.js';
import { forecastsProjection } from '../projections/forecasts/projection.js';
import { goalsProjection } from '../projections/goals/projection.js';
import { alertChecking } from '../workers/alert-checking.js';
import { alertHealth } from '../workers/alert-health.js';
import { alertRounds } from '../workers/alert-rounds.js';
import { uptime } from '../workers/uptime.js';
import { alertEvidences } from './alert-evidences.js';
import { alertNotices } from './alert-notices.js';
import { area } from './area.js';
import type { BillingArea } from './billing.js';
import type { EventsArea } from './events.js';
import type { ForecastsArea } from './forecasts.js';
import type { GoalsArea } from './goals.js';
import type { IdentityArea } from './identity.js';
import type { Kernel } from './kernel.js';

type On = {
  readonly identity: IdentityArea;
  readonly billing: BillingArea;
  readonly events: EventsArea;
  readonly goals: GoalsArea;
  readonly forecasts: ForecastsArea;
  readonly beside: Pick<Beside, 'edges' | 'shocks'>;
  /** Facts by which shocks and edges change; each names its goal. They are looked at by time, too. */
  readonly checkedOn: readonly string[];
  /** Asked of channels, which are built on notifications. */
  readonly channels: { readonly idsOf: (uid: string) => Promise<readonly string[]> };
};

/** Checking waits so long for the read models before it fails and begins again. */
const CHECKING_WAITS_MS = 5_000;

/** People are told when something becomes of a goal, of a stream, or of what they may spend. */
export const alertsArea = (kernel: Kernel, on: On) => {
  const { config, handle, load, read, clock, newId, log, stores, visibleIn } = kernel;
  const { identity, goals, channels, checkedOn } = on;
  const queries = alertQueries(read(alertsProjection));
  const commands = alertCommands({ handle, load });
  const visible = visibleIn(alertsProjection);
  const up = uptime({ kv: stores.kv, clock });
  const look = looking({ ...alertEvidences(on), upSince: up.since });
  const isArchived = async (workspace: string): Promise<boolean> =>
    (await identity.directory.workspace(workspace))?.archivedAt !== null;
  const settingsOf = async (workspace: string, goalId: string) => {
    const doc = await goals.queries.goal(workspace, goalId);
    return doc?.status === 'active' ? doc.state.settings : null;
  };
  const judgedBy = [alertsProjection, goalsProjection, forecastsProjection, eventsProjection];
  const caughtUp =
    (...all: typeof judgedBy) =>
    async (position: number): Promise<boolean> =>
      (await Promise.all(all.map(p => kernel.caughtUp(p, position, CHECKING_WAITS_MS)))).every(Boolean);
  return area({
    name: 'alerts',
    ...{ queries, commands },
    frames: { of: alertFrames, shown: visible },
    notices: alertNotices,
    reactors: [
      alertChecking({
        ...{ queries, commands, look, settingsOf, checkedOn, isArchived },
        ...{ caughtUp: caughtUp(...judgedBy), alone: !stores.shared },
      }),
      alertHealth({ queries, goals: goals.commands, caughtUp: caughtUp(alertsProjection) }),
    ],
    schedulers: {
      alerts: () =>
        alertRounds({
          ...{ queries, commands, look, isArchived, clock, newId, visible, log, tellUp: up.tell },
          async active(workspace, goalIds) {
            const found = await Promise.all(
              goalIds.map(async id => [id, await settingsOf(workspace, id)] as const),
            );
            return new Map(found.flatMap(([id, settings]) => (settings ? [[id, settings] as const] : [])));
          },
        }),
    },
    rows: alertRows({
      ...{ commands, queries, clock, visible, channelsOf: channels.idsOf },
      most: { workspace: config.ALERTS_PER_WORKSPACE, goal: config.ALERTS_PER_GOAL },
      tried: alertCommands({ handle: kernel.tryOut, load }),
      horizonOf: async (workspace, goalId) =>
        (await goals.queries.goal(workspace, goalId))?.state.settings.horizon ?? null,
    }),
  });
};
export type AlertsArea = ReturnType<typeof alertsArea>;
