import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfig } from '../config.js';
import { openPlatform } from '../main.js';
import type { Client } from './realtime-clients.js';

const CHANNELS = 20;
export const SOCKETS_A_TOKEN = 20;

/** A data folder with one user in many workspaces, and many tokens of theirs. */
export async function furnished(workspaces: number, tokenCount: number) {
  const path = mkdtempSync(join(tmpdir(), 'presage-realtime-'));
  const config = readConfig({ DATA_DIR: path });
  const log = { info() {}, debug() {}, warn: console.warn, error: console.error };
  const platform = await openPlatform({ config, log, running: ['projections'], owner: 'bench' });
  const { install, groups, tokens } = platform.areas.identity;
  const context = {
    ...{ workspace: null, actor: 'operator', request: null, causation: null },
    ...{ correlation: platform.newId(), at: Date.now() },
  };
  const them = { organization: 'R', workspace: 'R', email: 'r@example.org', name: 'R', domainTerms: [] };
  const { uid, token, position } = await install({ ...them, cell: config.CELL }, context);
  await platform.visible(position);
  const organization = await groups.createOrganization(uid, { name: 'Many' }, context);
  const inMany = { organizationId: organization.groupId };
  const made: string[] = [];
  for (let i = 0; i < workspaces; i++)
    made.push((await groups.createWorkspace(uid, { name: `W${i}`, ...inMany }, context)).groupId);
  const values: string[] = [];
  for (let i = 0; i < tokenCount; i++) {
    const wanted = {
      name: `t${i}`,
      scopes: ['workspaces.read'] as const,
      workspaceIds: null,
      expiresAt: null,
    };
    values.push((await tokens.create(uid, wanted, null, context)).value);
  }
  await platform.visible(await platform.stores.events.head());
  await platform.stop();
  return { path, token, workspaces: made, tokens: values };
}
export type Furnished = Awaited<ReturnType<typeof furnished>>;

/** So many clients, each with 20 channels; all channels are listened to alike. */
export const clientsOf = ({ workspaces, tokens }: Furnished, sockets: number): Client[] =>
  Array.from({ length: sockets }, (_, i) => ({
    token: tokens[Math.floor(i / SOCKETS_A_TOKEN)]!,
    channels: Array.from(
      { length: CHANNELS },
      (__, c) =>
        `workspace:${workspaces[(i + c * Math.floor(workspaces.length / CHANNELS)) % workspaces.length]}`,
    ),
  }));
