import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocket, WebSocketServer } from 'ws';
import type { Log } from '../../commands/ports/log.js';
import { refuseOn } from '../edge/noise.js';
import { targetOf } from '../edge/target.js';
import type { Upgrades } from '../edge/upgrades.js';
import { Connection } from './connection.js';
import { conversation, type Speaking } from './conversation.js';
import type { Guard } from './guard.js';
import { closing, HEARTBEAT_S } from './protocol.js';

type Opening = Speaking & { readonly guard: Pick<Guard, 'check'>; readonly log: Log };

export const PATH = '/v1/ws';
/** Bytes of one message of a client. */
export const MOST_BYTES = 64 * 1024;
/** Whoever is told of the end has so long to close. */
const CLOSE_WITHIN_MS = 3_000;
const AUTH_WITHIN_MS = 5_000;
const SILENT_MS = 3 * HEARTBEAT_S * 1_000;
/** Rights are looked at again so often without a reason: what only time changes has no fact. */
const CHECK_EVERY_MS = 60_000;
const LOOK_EVERY_MS = 250;
/** Connections of one address that wait for their token. */
const MOST_WAITING = 100;

/** Says 4413 to a message that is too large, where `ws` says 1009; a client's own 1009 it gives back. */
class Socket extends WebSocket {
  override close(code?: number, reason?: string | Buffer): void {
    super.close(code === 1009 && reason === undefined ? closing.tooLarge : code, reason);
  }
}

/** The WebSocket endpoint, to be put beside HTTP on a server. */
export function gatewayOf(opening: Opening): Upgrades {
  const { hub, door, guard, clock } = opening;
  const server = new WebSocketServer({
    ...{ noServer: true, WebSocket: Socket, maxPayload: MOST_BYTES, closeTimeout: CLOSE_WITHIN_MS },
    clientTracking: false,
    handleProtocols: offered => offered.has('v1') && 'v1',
  });
  server.on('wsClientError', ({ message }, socket) =>
    refuseOn(socket, 400, 'Bad Request', 'bad_handshake', message, { 'Sec-WebSocket-Version': '13' }),
  );
  const all = new Set<Connection>();
  const checking = inTheirTurn(guard.check);

  const begin = (socket: WebSocket, req: IncomingMessage): void => {
    const connection = new Connection(`con_${randomUUID()}`, door.addressOf(req), socket, hub.tally, clock());
    all.add(connection);
    hub.arrive(connection);
    socket.on('error', () => undefined);
    socket.once('close', () => {
      connection.gone();
      all.delete(connection);
    });
    const token = tokenOf(req);
    if (token === null && hub.waitingAt(connection.address) > MOST_WAITING)
      connection.end(closing.tooMuch, 'too many connections without a token');
    else conversation(opening, connection, token);
  };

  const look = (): void => {
    const now = clock();
    for (const connection of all) {
      const { caller, openedAt, heardAt, checkedAt } = connection;
      if (caller === null && now - openedAt >= AUTH_WITHIN_MS)
        connection.end(closing.tokenRejected, 'authorization_required');
      else if (caller?.expiresAt != null && caller.expiresAt <= now)
        connection.end(closing.tokenRejected, 'token_expired');
      else if (now - heardAt >= SILENT_MS) connection.end(closing.silent, 'silent too long');
      else if (caller && now - checkedAt >= CHECK_EVERY_MS) {
        connection.checkedAt = now;
        checking(connection);
      }
    }
  };
  const looking = setInterval(look, LOOK_EVERY_MS);

  return {
    takes: req => req.method === 'GET' && targetOf(req.url!).path === PATH && isWebSocket(req),
    welcomes: ({ headers: { origin, host } }) => origin === undefined || door.welcomes(origin, host),
    upgrade: (req: IncomingMessage, socket: Duplex, head: Buffer) =>
      server.handleUpgrade(req, socket, head, begin),
    async close() {
      clearInterval(looking);
      const left = [...all].map(
        ({ socket }) => new Promise<void>(resolve => void socket.once('close', () => resolve())),
      );
      for (const connection of all) connection.end(closing.restart, 'restart');
      await Promise.all(left);
    },
  };
}

const isWebSocket = ({ headers }: IncomingMessage): boolean => headers.upgrade?.toLowerCase() === 'websocket';

/** The token of the handshake; browsers, which set no headers, name it among the protocols. */
function tokenOf({ headers }: IncomingMessage): string | null {
  const { authorization, 'sec-websocket-protocol': protocols } = headers;
  if (authorization !== undefined) return authorization.replace(/^bearer /i, '').trim();
  const offered = protocols?.split(',').map(each => each.trim()) ?? [];
  return offered.find(each => each.startsWith('bearer.'))?.slice('bearer.'.length) ?? null;
}

/** Does something with one after the other, each once however often it is asked for meanwhile. */
function inTheirTurn<T>(work: (one: T) => Promise<void>): (one: T) => void {
  const waiting = new Set<T>();
  const run = async (): Promise<void> => {
    for (const one of waiting) {
      await work(one);
      waiting.delete(one);
    }
  };
  return one => {
    waiting.add(one);
    if (waiting.size === 1) void run();
  };
}
