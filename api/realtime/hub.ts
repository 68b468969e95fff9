import type { Role } from '../../domain/groups/roles.js';
import type { Channel, FrameData } from '../../domain/realtime/frame.js';
import { neighbourhood } from '../edge/limits.js';
import type { Caller } from '../edge/row.js';
import type { Connection, Tally } from './connection.js';
import { Grouped } from './grouped.js';
import { eventHead } from './protocol.js';

/**
 * To be told on a channel. `workspace`: the one it is of; `guarded`: as in `Tells`; `limited`: what tokens
 * that are limited to some workspaces are told instead of `data`; `at`: epoch ms.
 */
export type Event = {
  readonly event: string;
  readonly channel: Channel;
  readonly workspace: string | null;
  readonly guarded: boolean;
  readonly data: FrameData;
  readonly limited: FrameData;
  readonly at: number;
};
export type Hub = ReturnType<typeof hubOf>;

/** Who is connected to this process, and who listens to what. */
export function hubOf() {
  const tally: Tally = { sent: 0, dropped: 0 };
  const connections = new Set<Connection>();
  const listeners = new Grouped<Channel, Connection>();
  const waiting = new Grouped<string, Connection>();
  const tokens = new Grouped<string, Connection>();
  const users = new Grouped<string, Connection>();
  let changes = 0;

  const leave = (connection: Connection, channel: Channel): boolean => {
    if (!connection.channels.delete(channel)) return false;
    listeners.delete(channel, connection);
    return true;
  };

  return {
    tally,
    connections: connections as ReadonlySet<Connection>,
    /** It is here, and has not brought its token yet. */
    arrive(connection: Connection): void {
      const { address } = connection;
      waiting.add(neighbourhood(address), connection);
      connection.onEnd(() => waiting.delete(neighbourhood(address), connection));
    },
    /** How many of an address have not brought their token yet. */
    waitingAt: (address: string): number => waiting.of(neighbourhood(address)).size,
    join(connection: Connection, { tokenId, uid }: Pick<Caller, 'tokenId' | 'uid'>): void {
      waiting.delete(neighbourhood(connection.address), connection);
      connections.add(connection);
      tokens.add(tokenId, connection);
      users.add(uid, connection);
      connection.onEnd(() => {
        for (const channel of connection.channels.keys()) leave(connection, channel);
        connections.delete(connection);
        tokens.delete(tokenId, connection);
        users.delete(uid, connection);
      });
    },
    listen(connection: Connection, channel: Channel, role: Role | null): void {
      if (connection.isEnding || connection.channels.has(channel)) return;
      connection.channels.set(channel, { channel, seq: 0, role });
      listeners.add(channel, connection);
    },
    leave,
    isListenedTo: (channel: Channel): boolean => listeners.has(channel),
    listenersOf: (channel: Channel): readonly Connection[] => [...listeners.of(channel)],
    isQuiet: (): boolean => listeners.size === 0,
    ofToken: (tokenId: string): readonly Connection[] => [...tokens.of(tokenId)],
    ofUser: (uid: string): readonly Connection[] => [...users.of(uid)],
    /** Tells everybody who listens. */
    publish({ event, channel, workspace, guarded, data, limited, at }: Event): void {
      if (!listeners.has(channel)) return;
      const head = eventHead(event, channel, data, at);
      const limitedHead = limited === data ? head : eventHead(event, channel, limited, at);
      for (const connection of listeners.of(channel)) {
        const listening = connection.channels.get(channel)!;
        if (connection.maySee(listening, workspace, guarded))
          connection.tell(listening, connection.isLimited ? limitedHead : head);
      }
    },
    /** What was to be told could not be: readers see a gap, and look again. */
    missed(channel: Channel): void {
      for (const connection of listeners.of(channel)) {
        tally.dropped++;
        connection.channels.get(channel)!.seq++;
      }
    },
    /** How often what people may do has changed: an answer from before such a change may be wrong. */
    changes: (): number => changes,
    changed(): void {
      changes++;
    },
  };
}
