import type { RawData } from 'ws';
import type { Log } from '../../commands/ports/log.js';
import { Rejected } from '../../domain/rejected.js';
import type { Channel } from '../../domain/realtime/frame.js';
import type { Door } from '../edge/door.js';
import type { Caller } from '../edge/row.js';
import type { Connection } from './connection.js';
import type { Hub } from './hub.js';
import { inTurn } from './in-turn.js';
import * as protocol from './protocol.js';
import { BadFrame, closing, type ClientFrame, type CloseCode } from './protocol.js';
import type { Rights } from './rights.js';

export type Speaking = {
  readonly hub: Hub;
  readonly door: Door;
  readonly rights: Rights;
  readonly cell: string;
  readonly clock: () => number;
  readonly log: Log;
};

/** Of one token, and of one connection. */
const MOST = { connections: 20, channels: 200 };
const BAD_FRAMES = { most: 20, withinMs: 10_000 };
/** Of one connection, pings among them: each is read, and most are answered. */
const FRAMES = { most: 1_000, withinMs: 10_000 };
/** So many channels that are asked for count as one call of the token. */
const CHANNELS_A_CALL = 10;

/**
 * What is said on one connection, one frame after the other. `token`: of the handshake; null: a frame brings
 * it.
 */
export function conversation(speaking: Speaking, connection: Connection, token: string | null): void {
  const { hub, door, rights, cell, clock, log } = speaking;
  const { socket, address } = connection;
  const bad: number[] = [];

  const letIn = (value: string): Promise<void> => {
    const authorization = `Bearer ${value}`;
    return rights.caller(authorization, caller => {
      if (connection.isEnding) return;
      if (hub.ofToken(caller.tokenId).length >= MOST.connections)
        return connection.end(closing.tooMuch, 'too many connections of this token');
      Object.assign(connection, { caller, authorization, checkedAt: clock() });
      hub.join(connection, caller);
      door.used(caller.tokenId, { ip: address });
      connection.send(protocol.welcome(cell, connection.id, clock()));
    });
  };

  const subscribe = ({ channels, ref }: Extract<ClientFrame, { type: 'subscribe' }>) => {
    const wanted = [...new Set(channels)] as Channel[];
    const isHeard = (channel: Channel) => connection.channels.has(channel);
    const open = wanted.filter(channel => !isHeard(channel));
    const asked = open.slice(0, MOST.channels - connection.channels.size);
    return rights.answers(connection, asked, answers => {
      for (const [channel, each] of answers) if (!each.refused) hub.listen(connection, channel, each.role);
      const denied = wanted
        .filter(channel => !isHeard(channel))
        .map(channel => ({ channel, code: answers.get(channel)?.refused?.code ?? 'too_many_channels' }));
      connection.send(protocol.ack(ref, wanted.filter(isHeard), denied));
      if (open.length > asked.length) return connection.end(closing.tooMuch, 'too many channels');
      if (connection.channels.size === 0)
        refuseAll(
          connection,
          [...answers.values()].map(({ refused }) => refused),
        );
    });
  };

  const unsubscribe = ({ channels, ref }: Extract<ClientFrame, { type: 'unsubscribe' }>): void => {
    for (const channel of channels) hub.leave(connection, channel as Channel);
    connection.send(protocol.ack(ref, [], []));
  };

  const answer = (frame: ClientFrame): Promise<void> | void => {
    const { caller } = connection;
    if (caller === null && frame.type === 'auth') return letIn(frame.token);
    if (caller === null) return connection.end(closing.tokenRejected, 'authorization_required');
    switch (frame.type) {
      case 'auth':
        throw new BadFrame('This connection has its token already', frame.ref ?? null);
      case 'ping':
        return connection.send(protocol.pong(frame.ref, clock()));
      case 'unsubscribe':
        return unsubscribe(frame);
      case 'subscribe': {
        const tooMany = chargeOf(caller, frame.channels.length);
        if (!tooMany) return subscribe(frame);
        const { code, message, details } = tooMany;
        return connection.send(protocol.errorFrame(code, message, frame.ref ?? null, details));
      }
    }
  };
  const chargeOf = (caller: Caller, channels: number): Rejected | null =>
    door.charge(caller, address, Math.ceil(Math.min(channels, MOST.channels) / CHANNELS_A_CALL));

  const onBad = ({ message, ref }: BadFrame): void => {
    connection.send(protocol.errorFrame('bad_frame', message, ref));
    const now = clock();
    while (bad.length > 0 && bad[0]! <= now - BAD_FRAMES.withinMs) bad.shift();
    if (bad.push(now) >= BAD_FRAMES.most) connection.end(closing.badFrames, 'too many bad frames');
  };
  const failed = (error: unknown): void => {
    if (error instanceof BadFrame) onBad(error);
    // Guessing tokens is as slow here as it is by requests
    else if (error instanceof Rejected)
      refuse(connection, (error.kind === 'unauthorized' && door.guessed(address)) || error);
    else {
      log.error({ connection: connection.id, err: error }, 'a realtime frame could not be answered');
      connection.end(closing.tryLater, 'try again');
    }
  };

  const inOrder = inTurn(socket, failed);
  let [since, frames] = [clock(), 0];
  const heard = (): void => {
    connection.heardAt = clock();
    if (connection.heardAt - since >= FRAMES.withinMs) [since, frames] = [connection.heardAt, 0];
    if (++frames > FRAMES.most) connection.end(closing.tooMuch, 'too many frames');
  };
  socket.on('ping', heard).on('pong', heard);
  socket.on('message', (bytes: RawData, isBinary: boolean) => {
    heard();
    inOrder(() => (connection.isEnding ? undefined : answer(protocol.readFrame(bytes as Buffer, isBinary))));
  });
  if (token !== null) inOrder(() => letIn(token));
}

const codes: Readonly<Record<string, CloseCode>> = {
  unauthorized: closing.tokenRejected,
  forbidden: closing.channelRefused,
  conflict: closing.wrongCell,
  limited: closing.tooMuch,
};

/** Ends a connection for what a request would be refused for. */
export function refuse(connection: Connection, { kind, code, message, details }: Rejected): void {
  if (kind === 'conflict') connection.send(protocol.errorFrame(code, message, null, details));
  connection.end(codes[kind] ?? closing.tryLater, code);
}

/** Ends a connection that has no channel left. */
export function refuseAll(connection: Connection, refusals: readonly (Rejected | null)[]): void {
  const why = refusals.find(refusal => refusal?.kind === 'conflict') ?? refusals.find(refusal => refusal);
  if (why) refuse(connection, why);
}
