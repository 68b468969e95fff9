import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { forgetLost } from '../adapters/open-log.js';
import { serveHttp } from '../cli/http.js';
import type { Log } from '../commands/ports/log.js';
import type { Installed } from '../commands/installation.js';
import { readConfig } from '../config.js';
import { openPlatform, processRoles, type Platform, type ProcessRole } from '../main.js';
import type { Json } from './json.js';
import { PATIENCE_MS } from './patience.js';

export const silent = { info() {}, warn() {}, error() {}, debug() {} };

/** A folder for a test's data; `remove` takes it away. */
export function temporaryFolder(): { readonly path: string; readonly remove: () => void } {
  const path = mkdtempSync(join(tmpdir(), 'presage-test-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

export type Answer = {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly json: Json;
};
/** `body`: sent as JSON; a text or a form as it is. */
type Sent = { readonly body?: unknown; readonly headers?: Readonly<Record<string, string>> };

export type Running = {
  readonly platform: Platform;
  readonly base: string;
  readonly installed: Installed;
  /** Calls the API with the token and workspace of the installation. */
  readonly call: (method: string, path: string, sent?: Sent) => Promise<Answer>;
  readonly stop: () => Promise<void>;
};
export type Starting = {
  readonly env?: Readonly<Record<string, string>>;
  readonly running?: readonly ProcessRole[];
  readonly clock?: () => number;
  readonly installed?: Installed;
  readonly terms?: readonly string[];
  readonly log?: Log;
};

/**
 * The whole platform in this process, over HTTP on a free port; on the servers named in the environment, if
 * any are.
 */
export async function startPlatform(
  dataDir: string,
  { env = {}, running = processRoles, clock, installed, terms = [], log = silent }: Starting = {},
): Promise<Running> {
  const shared = servers(dataDir);
  if (Object.keys(shared).length > 0) await withoutEarlierKeys(shared, dataDir);
  const config = readConfig({ ...limits, ...shared, PORT: '0', DATA_DIR: dataDir, ...env });
  const platform = await openPlatform({
    config,
    log,
    running,
    owner: `test ${process.pid}`,
    ...(clock && { clock }),
  });
  const operator = {
    workspace: null,
    actor: 'operator',
    request: null,
    correlation: platform.newId(),
    causation: null,
    at: platform.clock(),
  };
  const who =
    installed
    ?? (await platform.areas.identity.install(
      {
        organization: 'Org',
        workspace: 'First',
        email: 'a@example.org',
        name: 'A',
        domainTerms: terms,
        cell: config.CELL,
      },
      operator,
    ));
  await platform.visible(installed ? null : who.position);
  const http = await serveHttp(platform);
  const base = `http://127.0.0.1:${http.port}`;
  return {
    platform,
    base,
    installed: who,
    call: (method, path, sent) => send(base, method, path, who, sent),
    async stop() {
      await http.close(0);
      await platform.stop();
    },
  };
}

/**
 * With PLATFORM_ON_SERVERS set: on the servers at EVENTSTORE_URL and MONGODB_URL, each data folder with a
 * database of its own.
 */
const servers = (dataDir: string): Record<string, string> =>
  process.env['PLATFORM_ON_SERVERS']
    ? {
        EVENTSTORE_URL: process.env['EVENTSTORE_URL']!,
        MONGODB_URL: process.env['MONGODB_URL']!,
        MONGODB_DATABASE: `test_${basename(dataDir).replace(/\W/g, '_')}`,
      }
    : {};

/**
 * For a new database beside a log that earlier tests wrote: the keys of what they sealed are gone, and given
 * up.
 */
export async function withoutEarlierKeys(
  env: Readonly<Record<string, string>>,
  dataDir: string,
): Promise<void> {
  const opener = { clock: Date.now, owner: `test ${process.pid}` };
  await forgetLost(readConfig({ DATA_DIR: dataDir, ...env }), opener, new AbortController().signal);
}

/** High enough that no test meets them without wanting to, however slow the machine is. */
const limits = {
  VISIBLE_WITHIN_MS: '60000',
  COMPUTE_WITHIN_MS: '240000',
  RATE_DEFAULT: '1000000',
  RATE_PUSH: '1000000',
  RATE_PUSH_POINTS: '100000000',
  RATE_PUSH_BYTES: '1000000000',
  RATE_AUTH: '100000',
  RATE_HEAVY: '1000000',
  LOG_LEVEL: 'silent',
};

const isForm = (body: unknown): body is FormData => body instanceof FormData;

export async function send(
  base: string,
  method: string,
  path: string,
  who: Pick<Installed, 'token' | 'workspaceId'>,
  sent: Sent = {},
): Promise<Answer> {
  const response = await fetch(base + path, {
    method,
    headers: {
      authorization: `Bearer ${who.token}`,
      'x-workspace-id': who.workspaceId,
      ...(sent.body !== undefined && !isForm(sent.body) && { 'content-type': 'application/json' }),
      ...sent.headers,
    },
    ...(sent.body !== undefined && {
      body: typeof sent.body === 'string' || isForm(sent.body) ? sent.body : JSON.stringify(sent.body),
    }),
  });
  const text = await textOf(response);
  return {
    status: response.status,
    headers: response.headers,
    text,
    json: text.startsWith('{') ? JSON.parse(text) : null,
  };
}

/** Of a stream that does not end nothing is read. */
async function textOf(response: Response): Promise<string> {
  if (!response.headers.get('content-type')?.startsWith('text/event-stream')) return response.text();
  await response.body!.cancel();
  return '';
}

/** Asks until something is so. */
export async function until<T>(
  ask: () => Promise<T | null | false | undefined>,
  what = 'what was awaited',
): Promise<T> {
  const began = Date.now();
  const passed = () => Date.now() - began;
  while (passed() < PATIENCE_MS) {
    const found = await ask();
    if (found) return found;
    // What takes long is asked for less often: asking takes the processor from what is awaited
    await new Promise(resolve => setTimeout(resolve, Math.min(250, Math.max(20, passed() / 10))));
  }
  throw new Error(`${what} did not come about within ${PATIENCE_MS / 1e3} s`);
}
