import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { refuseOn } from './noise.js';

/** What takes connections that leave HTTP. */
export type Upgrades = {
  /** Whether a request is one of these; all others are answered as if they had not asked. */
  readonly takes: (req: IncomingMessage) => boolean;
  /** Whether a page of its origin may connect. */
  readonly welcomes: (req: IncomingMessage) => boolean;
  readonly upgrade: (req: IncomingMessage, socket: Duplex, head: Buffer) => void;
  /** Resolves when every connection is gone. */
  readonly close: () => Promise<void>;
};

/** Lets requests that ask for it leave HTTP. */
export function takeUpgrades(server: Server, upgrades: Upgrades, isClosing: () => boolean): void {
  server.on('upgrade', (req: IncomingMessage, socket: Duplex, head: Buffer) => {
    if (!upgrades.takes(req)) return asRequest(server, req, socket, head);
    // Until somebody else listens, a client that goes away would be a fault of ours
    socket.on('error', () => socket.destroy());
    if (isClosing()) return refuseOn(socket, 503, 'Service Unavailable', 'overloaded', 'It is stopping');
    if (upgrades.welcomes(req)) return upgrades.upgrade(req, socket, head);
    refuseOn(socket, 403, 'Forbidden', 'origin_forbidden', 'Pages of this origin may not connect');
  });
}

const OFFERS = new Set(['upgrade', 'http2-settings']);

/**
 * A server may pass over an offer to leave HTTP (RFC 9110, 7.8), as curl makes one on every request with
 * `--http2`. Node has taken the connection away from its reader by then: the request is given back without
 * the offer.
 */
function asRequest(server: Server, req: IncomingMessage, socket: Duplex, head: Buffer): void {
  const { method, url, httpVersion, rawHeaders } = req;
  const lines = [`${method} ${url} HTTP/${httpVersion}`];
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]!;
    const value = withoutOffers(name, rawHeaders[i + 1]!);
    if (value !== null) lines.push(`${name}: ${value}`);
  }
  if (head.length > 0) socket.unshift(head);
  socket.unshift(Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'));
  server.emit('connection', socket);
}

/** Null: nothing is left of a header. */
function withoutOffers(name: string, value: string): string | null {
  if (OFFERS.has(name.toLowerCase())) return null;
  if (name.toLowerCase() !== 'connection') return value;
  const kept = value.split(',').filter(each => !OFFERS.has(each.trim().toLowerCase()));
  return kept.length > 0 ? kept.join(',') : null;
}
