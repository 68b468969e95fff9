import { createHash } from 'node:crypto';
import { LATEST } from '../domain/time.js';
import { scopes } from '../domain/tokens/scopes.js';
import { maskToken, tokenValue } from '../domain/tokens/value.js';
import { collectionName, checkpointName, type Projection } from '../projections/engine/projection.js';
import type { ReadModels, Stored } from '../projections/engine/read-models.js';
import { eventsProjection } from '../projections/events/projection.js';
import { memberId } from '../projections/identity/documents.js';
import { identityProjection } from '../projections/identity/projection.js';

// Tenants as documents, put straight into the read models: a million of them as facts would take an hour.

export type Size = { readonly tokens: number; readonly workspaces: number };

const CELL = 'local';
const AT = 1_800_000_000_000;
const PAGE = 5_000;
export const EVENT = 'evt_bench';
export const workspaceOf = (nth: number, { workspaces }: Size): string => `wsp_bench${nth % workspaces}`;
/** The value of a token, the same for the same number. */
export const tokenOf = (nth: number): string =>
  tokenValue(CELL, createHash('sha256').update(`token ${nth}`).digest());
const uidOf = (nth: number, { workspaces }: Size): string => `usr_bench${nth % workspaces}`;

/**
 * One organization that asks for all that can be asked for, one owner and one event for each workspace, and
 * tokens dealt out among the owners.
 */
export async function loadTenants(models: ReadModels, size: Size): Promise<void> {
  const groups = Array.from({ length: size.workspaces }, (_, nth) => nth);
  const tokens = Array.from({ length: size.tokens }, (_, nth) => nth);
  await put(models, identityProjection, 'organizations', [0], () => ({
    _id: 'org_bench',
    name: 'O',
    home_cell: CELL,
    created_at: AT,
    archived_at: null,
    require_2fa: true,
    allowed_email_domains: [],
    token_max_age_days: 36_500,
  }));
  await put(models, identityProjection, 'users', groups, nth => ({
    _id: uidOf(nth, size),
    email: null,
    name: null,
    avatar_url: null,
    locale: 'en',
    timezone: 'UTC',
    home_cell: CELL,
    created_at: AT,
    erased_at: null,
    ui_flags: {},
    totp_enabled: true,
    totp_verified_at: null,
    recovery_codes: 0,
  }));
  await put(models, identityProjection, 'workspaces', groups, nth => ({
    _id: workspaceOf(nth, size),
    organization_id: 'org_bench',
    name: 'W',
    home_cell: CELL,
    timezone: 'UTC',
    domain_terms: [],
    retention: { signalsDays: null, eventsDays: null, rawDays: null },
    created_at: AT,
    archived_at: null,
  }));
  await put(models, identityProjection, 'members', groups, nth => ({
    _id: memberId(workspaceOf(nth, size), uidOf(nth, size)),
    kind: 'workspace',
    group_id: workspaceOf(nth, size),
    uid: uidOf(nth, size),
    role: 'owner',
    joined_at: AT,
  }));
  await put(models, eventsProjection, 'events', groups, nth => eventIn(workspaceOf(nth, size)));
  await put(models, identityProjection, 'api_tokens', tokens, nth => {
    const value = tokenOf(nth);
    return {
      _id: createHash('sha256').update(value).digest('hex'),
      token_id: `tok_bench${nth}`,
      uid: uidOf(nth, size),
      name: 'bench',
      ...maskToken(value),
      scopes,
      workspace_ids: null,
      issued_at: AT,
      expires_at: null,
      revoked_at: null,
      replaced_by: null,
      ends_at: LATEST,
      home_cell: CELL,
      internal: false,
    };
  });
}

const eventIn = (workspace: string) => ({
  _id: `${workspace}/${EVENT}`,
  workspace,
  event_id: EVENT,
  key: 'outages',
  name: 'Storm',
  text: 'Storm cuts power to 40,000 homes',
  source: 'wire',
  origin: 'api',
  data_type: 'text',
  value: null,
  raw_json: null,
  occurred_at: AT,
  timestamp: AT,
  shape: 'fresh',
  status: 'pending',
  scores: null,
  score_version: null,
  score_reasons: [],
  revision: 1,
  revised_at: null,
  fired_at: null,
  given: {},
});

async function put(
  models: ReadModels,
  p: Projection,
  collection: string,
  numbers: readonly number[],
  docOf: (nth: number) => { readonly _id: string },
): Promise<void> {
  const name = checkpointName(p, 0);
  const checkpoint = await models.checkpoint(name);
  for (let from = 0; from < numbers.length; from += PAGE) {
    const page = numbers.slice(from, from + PAGE).map((nth): Stored => ({ ...docOf(nth), _at: 0 }));
    await models.commit({
      projection: name,
      checkpoint,
      sweeps: [],
      changes: [{ collection: collectionName(p, collection, 0), put: page, remove: [] }],
    });
  }
}
