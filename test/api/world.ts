import { hash, randomBytes } from 'node:crypto';
import { memoryKeyValue } from '../../adapters/memory.js';
import type { Identity } from '../../api/edge/auth.js';
import type { Membership, TokenRecord } from '../../projections/identity/records.js';
import { listen, type Listening } from '../../api/edge/listen.js';
import { createServer, type ServerConfig, type ServerOptions } from '../../api/edge/server.js';
import { scopes } from '../../domain/tokens/scopes.js';
import { tokenValue } from '../../domain/tokens/value.js';
import { clientOf, type Client } from './client.js';
import { newToys, type Toys } from './toy-parts.js';
import { toyRows } from './toys.js';

export const CELL = 'here';
export const WORKSPACE = 'wsp_toys';
export const OWNER = 'usr_ann';

/** Identities that tests write into; answered as promises when `late`. */
export class People implements Identity {
  readonly #tokens = new Map<string, TokenRecord>();
  readonly #members = new Map<string, Membership>();
  late = false;
  lookUps = 0;

  /** Makes a token and gives its value. */
  token(sha256Hex: string): TokenRecord | null | Promise<TokenRecord | null> {
    this.lookUps++;
    const found = this.#tokens.get(sha256Hex) ?? null;
    return this.late ? Promise.resolve(found) : found;
  }

  member(workspace: string, uid: string): Membership | null | Promise<Membership | null> {
    const found = this.#members.get(`${workspace} ${uid}`) ?? null;
    return this.late ? Promise.resolve(found) : found;
  }

  issue(changes: Partial<TokenRecord> = {}, cell = CELL): string {
    const value = tokenValue(cell, randomBytes(32));
    this.#tokens.set(hash('sha256', value), {
      tokenId: `tok_${this.#tokens.size}`,
      name: 'a token',
      uid: OWNER,
      scopes,
      workspaceIds: null,
      issuedAt: 0,
      expiresAt: null,
      revokedAt: null,
      homeCell: CELL,
      internal: false,
      ...changes,
    });
    return value;
  }

  join(workspace: string, uid: string, changes: Partial<Membership> = {}): void {
    this.#members.set(`${workspace} ${uid}`, {
      role: 'owner',
      archivedAt: null,
      homeCell: CELL,
      lacksFactor: false,
      tokenDays: null,
      ...changes,
    });
  }
}

export type World = {
  readonly people: People;
  readonly toys: Toys;
  readonly api: Client;
  readonly token: string;
  readonly listening: Listening;
  readonly logged: { readonly fields: Record<string, unknown>; readonly message: string }[];
  /** The server's clock, epoch ms; tests move it. */
  now: number;
  ready: boolean;
  readonly kv: ServerOptions['kv'];
  close(): Promise<void>;
};

/** A server over the toy rows on a free port, with a client that is logged in as the owner. */
export async function worldOf(config: Partial<ServerConfig> = {}): Promise<World> {
  const people = new People();
  const toys = newToys();
  const logged: World['logged'] = [];
  const state = { now: Date.now(), ready: true };
  const clock = () => state.now;
  const kv = memoryKeyValue(clock);
  const token = people.issue();
  people.join(WORKSPACE, OWNER);
  const log = (fields: object, message: string) => {
    logged.push({ fields: fields as Record<string, unknown>, message });
  };
  const { app, description } = createServer({
    rows: toyRows(toys),
    identity: people,
    kv,
    clock,
    log: { error: log, warn: log, info: log },
    version: { service: '0.1.0', commit: 'abc', builtAt: 0 },
    config: { cell: CELL, ...config },
    checks: () => ({
      ready: state.ready,
      checks: { event_log: state.ready ? 'ok' : 'unreachable' },
      figures: { projection_lag_ms: 3 },
    }),
  });
  const listening = await listen(app, '127.0.0.1', 0);
  const api = clientOf(`http://127.0.0.1:${listening.port}`, description, { token, workspace: WORKSPACE });
  return Object.assign(state, {
    people,
    toys,
    api,
    token,
    listening,
    logged,
    kv,
    async close() {
      toys.release();
      api.close();
      await listening.close(0);
    },
  });
}

/** A server for one test, closed whatever becomes of the test. */
export async function inWorld(
  config: Partial<ServerConfig>,
  body: (world: World) => Promise<void>,
): Promise<void> {
  const world = await worldOf(config);
  try {
    await body(world);
  } finally {
    await world.close();
  }
}
