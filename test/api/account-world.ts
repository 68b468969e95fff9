import { Secret, TOTP } from 'otpauth';
import type { Installed } from '../../commands/installation.js';
import type { Scope } from '../../domain/tokens/scopes.js';
import type { ProcessRole } from '../../main.js';
import { peopleOf, type People } from '../people.js';
import { startPlatform, temporaryFolder, type Running } from '../platform.js';
import { clientOf, type Client } from './client.js';

export const OPS_URI = 'https://ops.example.org/signed-in?from=presage',
  OTHER_URI = 'https://other.example.org/';

/** A platform with a client that holds every answer to the description, its clock in the test's hand. */
export type AccountWorld = {
  readonly api: Running;
  readonly people: People;
  readonly client: Client;
  readonly folder: string;
  /** Moves the platform's clock on. */
  readonly later: (ms: number) => void;
  readonly now: () => number;
  readonly as: (token: string, workspace?: string) => Client;
  /** A token of the installation's user. */
  readonly tokenWith: (scopes: readonly Scope[], workspaceIds?: readonly string[] | null) => Promise<string>;
  /**
   * Another platform on the same data, `between` done while none runs: `api`, `people` and `client` are of
   * the new one.
   */
  readonly restart: (running?: readonly ProcessRole[], between?: () => void) => Promise<void>;
  readonly close: () => Promise<void>;
};

type Given = { readonly running?: readonly ProcessRole[]; readonly env?: Readonly<Record<string, string>> };

export async function accountWorld({
  running = ['api', 'projections'],
  env = {},
}: Given = {}): Promise<AccountWorld> {
  const folder = temporaryFolder();
  let shift = 0;
  const now = () => Date.now() + shift;
  const start = async (roles: readonly ProcessRole[], installed?: Installed) => {
    const api = await startPlatform(folder.path, {
      env: { OPS_REDIRECT_URIS: `${OPS_URI},${OTHER_URI}`, ...env },
      running: roles,
      clock: now,
      ...(installed && { installed }),
    });
    const description = (await api.call('GET', '/openapi/v1.json')).json;
    return {
      api,
      people: peopleOf(api.platform),
      client: clientOf(api.base, description, { token: api.installed.token }),
    };
  };
  const stop = async () => {
    world.client.close();
    await world.api.stop();
  };
  const world = {
    ...(await start(running)),
    now,
    folder: folder.path,
    later: (ms: number) => {
      shift += ms;
    },
    as: (token: string, workspace?: string) =>
      world.client.as({ token, ...(workspace !== undefined && { workspace }) }),
    tokenWith: (scopes: readonly Scope[], workspaceIds: readonly string[] | null = null) =>
      world.people.token(world.api.installed.uid, { scopes, workspaceIds }),
    async restart(roles = running, between: () => void = () => undefined) {
      await stop();
      between();
      Object.assign(world, await start(roles, world.api.installed));
    },
    async close() {
      await stop();
      folder.remove();
    },
  };
  return world;
}

/** What an authenticator app shows at a time, epoch ms. */
export const codeAt = (secret: string, at: number): string =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: at });
