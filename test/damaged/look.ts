import { createHash } from 'node:crypto';
import { failureOf } from '../../cli/exit.js';
import { wholeFiles } from '../../cli/examine-folder.js';
import { serveHttp } from '../../cli/http.js';
import { doctorJob } from '../../cli/jobs/doctor.js';
import type { Finding } from '../../cli/jobs/finding.js';
import { readConfig, type Config } from '../../config.js';
import type { Installed } from '../../commands/installation.js';
import { START } from '../../domain/fact.js';
import { openPlatform, projections, type Platform } from '../../main.js';
import type { Projection } from '../../projections/engine/projection.js';
import { verify, type Verified } from '../../workers/engine/verify.js';
import { silent } from '../platform.js';

export type Who = Pick<Installed, 'token' | 'workspaceId' | 'organizationId'>;
/** What a start on a folder came to. */
export type Look =
  | { readonly end: 'refused'; readonly code: number; readonly message: string }
  | {
      readonly end: 'started';
      /** Of all facts, as the log holds them, and of what the API answers. */
      readonly facts: string;
      readonly reads: string;
      /** What the doctor finds, and a comparison of documents with facts; null: not asked for. */
      readonly found: readonly string[] | null;
    };
/** `expected`: the digests before it was damaged; where they come out, nobody is asked further. */
export type Asked = {
  readonly folder: string;
  readonly who: Who;
  readonly expected: { readonly facts: string; readonly reads: string } | null;
};

/** Starts on a folder and looks at what comes of it. */
export async function look({ folder, who, expected }: Asked): Promise<Look> {
  const config = readConfig({ DATA_DIR: folder, PORT: '0', RATE_DEFAULT: '1000000' });
  let platform: Platform;
  try {
    platform = await openPlatform({ config, log: silent, running: ['projections'], owner: 'a look' });
  } catch (error) {
    return { end: 'refused', ...failureOf(error) };
  }
  try {
    const head = await platform.stores.events.head();
    await platform.visible(head);
    const facts = await factsOf(platform).catch(String);
    const reads = await readsOf(platform, who);
    const same = expected !== null && facts === expected.facts && reads === expected.reads;
    return { end: 'started', facts, reads, found: same ? null : await foundIn(platform, config) };
  } finally {
    await platform.stop();
  }
}

async function factsOf({ stores: { events } }: Platform): Promise<string> {
  const hash = createHash('sha256');
  for (let after = START; ; ) {
    const page = await events.page(after, 1_000);
    if (page.length === 0) return hash.digest('hex');
    for (const fact of page) hash.update(JSON.stringify(fact));
    after = page.at(-1)!.position;
  }
}

const READS = [
  '/v1/user/me',
  '/v1/user/api-tokens',
  '/v1/workspace',
  '/v1/workspace/WORKSPACE',
  '/v1/workspace/WORKSPACE/audit?limit=100',
  '/v1/workspace/WORKSPACE/members',
  '/v1/organization/ORGANIZATION',
  '/v1/organization/ORGANIZATION/audit',
  '/v1/event/streams',
  ...['early', 'late'].flatMap(name => [
    `/v1/event/streams/${name}.news.0/events?limit=100`,
    `/v1/event/streams/${name}.news.1/events?limit=100`,
    `/v1/signal/points?key=${name}.orders&limit=1000`,
    `/v1/signal/revisions?key=${name}.orders`,
  ]),
  '/v1/event/streams/early.news.0/events?limit=3&query=storm',
  '/v1/signal',
  '/v1/signal/units',
];
/** What a read changes, or the clock. */
const PASSING = /"(last_used_at|last_used_ip|last_active_at|request_id)":("[^"]*"|null|\d+)/g;

/** A digest of what the API answers. */
async function readsOf(platform: Platform, { token, workspaceId, organizationId }: Who): Promise<string> {
  const http = await serveHttp(platform);
  const hash = createHash('sha256');
  const headers = { authorization: `Bearer ${token}`, 'x-workspace-id': workspaceId };
  try {
    for (const read of READS) {
      const path = read.replace('WORKSPACE', workspaceId).replace('ORGANIZATION', organizationId);
      const answer = await fetch(`http://127.0.0.1:${http.port}${path}`, { headers });
      const text = (await answer.text()).replaceAll(PASSING, '');
      if (process.env['DAMAGED_READS']) console.error(path, answer.status, text.slice(0, 300));
      hash.update(`${path} ${answer.status} ${text}\n`);
    }
    return hash.digest('hex');
  } finally {
    await http.close(0);
  }
}

async function foundIn(platform: Platform, config: Config): Promise<string[]> {
  const found: string[] = [];
  const note = ({ state, part, text, todo }: Finding): void => {
    if (state === 'problem') found.push(`doctor: ${part}: ${text} -> ${todo ?? ''}`);
  };
  for await (const finding of wholeFiles(config)) note(finding);
  const signal = new AbortController().signal;
  for await (const output of doctorJob({ platform, base: '', signal }, { quick: false }))
    if (output.kind === 'row') note(output.row as Finding);
  for (const p of projections) {
    const differing = await differences(platform, p).catch((error: unknown) => [failureOf(error).message]);
    found.push(...differing.map(each => `replay --verify: ${p.name}: ${each.slice(0, 300)}`));
  }
  return found;
}

/** Documents that are not as a replay of all facts makes them. */
async function differences(platform: Platform, projection: Projection): Promise<string[]> {
  const { stores, generations, projectors } = platform;
  const steps = verify({
    ...{ store: stores.events, models: stores.models, generations, projection, graceMs: 0 },
    projector: projectors.of(projection),
    signal: new AbortController().signal,
  });
  for (;;) {
    const step: IteratorResult<unknown, Verified> = await steps.next();
    if (step.done) return step.value.differences.map(each => JSON.stringify(each));
  }
}
