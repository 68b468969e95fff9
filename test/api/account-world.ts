import { TOTP, Secret } from 'otpauth';
import type { Scope } from '../../domain/scopes.js';
import { peopleOf, type People } from '../people.js';
import { startPlatform, temporaryFolder, type Running } from '../platform.js';
import { clientOf, type Client } from './client.js';

export const OPS_URI = 'https://ops.example.org/signed-in?from=presage', OTHER_URI = 'https://other.example.org/';

/** A platform with a client that holds every answer to the description, its clock in the test's hand. */
export type AccountWorld = {
  readonly api: Running; readonly people: People; readonly client: Client; readonly folder: string;
  /** Moves the platform's clock on. */
  readonly later: (ms: number) => void; readonly now: () => number;
  readonly as: (token: string, workspace?: string) => Client;
  /** A token of the installation's user. */
  readonly tokenWith: (scopes: readonly Scope[], workspaceIds?: readonly string[] | null) => Promise<string>;
  readonly close: () => Promise<void>;
};

export async function accountWorld(env: Readonly<Record<string, string>> = {}): Promise<AccountWorld> {
  const folder = temporaryFolder();
  let shift = 0;
  const now = () => Date.now() + shift;
  const api = await startPlatform(folder.path, {
    env: { OPS_REDIRECT_URIS: `${OPS_URI},${OTHER_URI}`, ...env }, running: ['api', 'projections'], clock: now,
  });
  const people = peopleOf(api.platform), description = (await api.call('GET', '/openapi/v1.json')).json;
  const client = clientOf(api.base, description, { token: api.installed.token });
  return {
    api, people, client, now, folder: folder.path, later: ms => { shift += ms; },
    as: (token, workspace) => client.as({ token, ...(workspace !== undefined && { workspace }) }),
    tokenWith: (scopes, workspaceIds = null) => people.token(api.installed.uid, { scopes, workspaceIds }),
    async close() {
      client.close();
      await api.stop();
      folder.remove();
    },
  };
}

/** What an authenticator app shows at a time, epoch ms. */
export const codeAt = (secret: string, at: number): string => new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: at });
