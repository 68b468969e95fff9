import type { Role } from '../../domain/groups/roles.js';
import type { Channel, FrameData } from '../../domain/realtime/frame.js';
import type { Connection, Tally } from './connection.js';
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
  const listeners = new Map<Channel, Set<Connection>>();
  let changes = 0;

  const leave = (connection: Connection, channel: Channel): boolean => {
    if (!connection.channels.delete(channel)) return false;
    const those = listeners.get(channel)!;
    those.delete(connection);
    if (those.size === 0) listeners.delete(channel);
    return true;
  };

  return {
    tally,
    connections: connections as ReadonlySet<Connection>,
    join(connection: Connection): void {
      connections.add(connection);
      connection.onEnd(() => {
        for (const channel of connection.channels.keys()) leave(connection, channel);
        connections.delete(connection);
      });
    },
    listen(connection: Connection, channel: Channel, role: Role | null): void {
      if (connection.isEnding || connection.channels.has(channel)) return;
      connection.channels.set(channel, { channel, seq: 0, role });
      const those = listeners.get(channel);
      if (those) those.add(connection);
      else listeners.set(channel, new Set([connection]));
    },
    leave,
    isListenedTo: (channel: Channel): boolean => listeners.has(channel),
    listenersOf: (channel: Channel): readonly Connection[] => [...(listeners.get(channel) ?? [])],
    isQuiet: (): boolean => listeners.size === 0,
    ofToken: (tokenId: string): Connection[] =>
      [...connections].filter(({ caller }) => caller?.tokenId === tokenId),
    ofUser: (uid: string): Connection[] => [...connections].filter(({ caller }) => caller?.uid === uid),
    /** Tells everybody who listens. */
    publish({ event, channel, workspace, guarded, data, limited, at }: Event): void {
      const those = listeners.get(channel);
      if (!those) return;
      const head = eventHead(event, channel, data, at);
      const limitedHead = limited === data ? head : eventHead(event, channel, limited, at);
      for (const connection of those) {
        const listening = connection.channels.get(channel)!;
        if (connection.maySee(listening, workspace, guarded))
          connection.tell(listening, connection.isLimited ? limitedHead : head);
      }
    },
    /** What was to be told could not be: readers see a gap, and look again. */
    missed(channel: Channel): void {
      for (const connection of listeners.get(channel) ?? []) {
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
