import type { Figure } from '../adapters/metrics/figures.js';
import type { Door } from '../api/edge/door.js';
import type { Upgrades } from '../api/edge/upgrades.js';
import { gatewayOf } from '../api/realtime/gateway.js';
import { guard } from '../api/realtime/guard.js';
import { hubOf, type Hub } from '../api/realtime/hub.js';
import { rightsOf } from '../api/realtime/rights.js';
import { realtimeRows } from '../api/realtime/rows.js';
import { telling } from '../api/realtime/telling.js';
import type { Fact } from '../domain/fact.js';
import { groupQueries } from '../projections/identity/group-queries.js';
import { identityProjection } from '../projections/identity/projection.js';
import { area, type Area } from './area.js';
import { following } from './following.js';
import type { IdentityArea } from './identity.js';
import type { Kernel } from './kernel.js';

type On = {
  readonly identity: IdentityArea;
  readonly goals: { readonly byId: (goalId: string) => Promise<{ readonly workspace: string } | null> };
  /** All that have something to tell. */
  readonly areas: readonly Area[];
};

/** The realtime gateway: what happens is told to those who listen, by every process that serves the API. */
export const realtimeArea = (kernel: Kernel, { identity: { directory }, goals, areas }: On) => {
  const { config, stores, clock, log, read, visibleIn } = kernel;
  const identified = visibleIn(identityProjection);
  const { workspacesOf } = groupQueries(read(identityProjection));
  const hubs = new Set<Hub>();
  const workspaceOf = async (goalId: string) => (await goals.byId(goalId))?.workspace ?? null;
  return area({
    name: 'realtime',
    rows: realtimeRows(),
    figures: figuresOf(hubs),
    /** Opens it beside HTTP. Rights have a follower of their own, which no other read models hold up. */
    async open(door: Door): Promise<Upgrades> {
      const hub = hubOf();
      hubs.add(hub);
      const rights = rightsOf({ admit: door.admit, hub, workspaceOf });
      const known = async (page: readonly Fact[]) => {
        await identified(page.at(-1)!.position);
        // Where another process projects, this one remembers what was
        directory.forget(page);
      };
      const guarding = guard({ hub, rights, known, workspacesOf, clock, log });
      const tellers = areas.flatMap(({ frames }) => frames ?? []);
      const told = telling({ hub, tellers, log });
      const head = await stores.events.head();
      const followers = [
        following(kernel, 'realtime rights', head, guarding.took),
        following(kernel, 'realtime', head, page => {
          guarding.now(page);
          return told.took(page);
        }),
      ];
      const gateway = gatewayOf({
        hub,
        door,
        rights,
        cell: config.CELL,
        clock,
        log,
        guard: guarding,
      });
      return {
        ...gateway,
        async close() {
          await gateway.close();
          told.stop();
          await Promise.all(followers.map(({ stop }) => stop()));
        },
      };
    },
  });
};
export type RealtimeArea = ReturnType<typeof realtimeArea>;

/** What an operator wants to see of those who are connected to this process. */
function figuresOf(hubs: ReadonlySet<Hub>): Figure[] {
  const figure = (name: string, help: string, count: (hub: Hub) => number, more: Partial<Figure> = {}) => ({
    ...{ name: `presage_realtime_${name}`, help, label: null, ...more },
    look: async () => [['', [...hubs].reduce((sum, hub) => sum + count(hub), 0)]] as const,
  });
  const grows = { grows: true } as const;
  return [
    figure('connections', 'Connections of the realtime gateway', ({ connections }) => connections.size),
    figure('frames_total', 'Frames that clients were sent', ({ tally }) => tally.sent, grows),
    figure(
      'dropped_frames_total',
      'Frames that a client was not sent: it was too slow, or they could not be looked up',
      ({ tally }) => tally.dropped,
      grows,
    ),
  ];
}
