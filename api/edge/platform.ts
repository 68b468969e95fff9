import { object } from '../../json-schema.js';
import { JsonText, row, type Access, type Row } from './row.js';

/** What this program is, for `/version`. `builtAt`: epoch ms. */
export type Version = { readonly service: string; readonly commit: string; readonly builtAt: number };

/**
 * What `/ready` says: each part of the platform in a word (`ok`, or what is wrong), and figures such as lags
 * and backlogs.
 */
export type Readiness = {
  readonly ready: boolean;
  readonly checks: Readonly<Record<string, string>>;
  readonly figures: Readonly<Record<string, number>>;
};

export type Platform = {
  readonly cell: string;
  readonly clock: () => number;
  readonly version: Version;
  readonly checks: () => Readiness | Promise<Readiness>;
  /** The description as JSON; asked for when it is first called, since it describes these rows too. */
  readonly description: () => string;
  /** `/ready` and `/openapi/v1.json` without a token, for load balancers. */
  readonly publicProbe: boolean;
};

export const DESCRIPTION_VERSION = '1.4.83';
export const OPENAPI_VERSION = '3.2.0';

const iso = { type: 'string', format: 'date-time' } as const;
const text = { type: 'string' } as const;
const tag = 'Platform';

const healthAnswer = object({ status: { const: 'ok' }, cell: text, time: iso });
const checksAnswer = { type: 'object', additionalProperties: text } as const;
const versionAnswer = object({
  api_version: { const: 'v1' },
  service_version: text,
  openapi_version: text,
  description_version: text,
  commit: text,
  built_at: iso,
});
const readyAnswer = (status: string) => ({
  ...object({ status: { const: status }, checks: checksAnswer }),
  additionalProperties: { type: 'number' },
});

/** The endpoints outside of `/v1`. */
export function platformRows({ cell, clock, version, checks, description, publicProbe }: Platform): Row[] {
  const probe: Access = { kind: publicProbe ? 'public' : 'account' };
  return [
    row({
      method: 'get',
      path: '/health',
      operation: 'getHealth',
      summary: 'Whether the service runs',
      tag,
      access: { kind: 'public' },
      description: 'Looks at nothing but itself.',
      answers: { 200: { description: 'It runs', schema: healthAnswer } },
      run: () => ({ body: { status: 'ok', cell, time: new Date(clock()).toISOString() } }),
    }),
    row({
      method: 'get',
      path: '/ready',
      operation: 'getReadiness',
      summary: 'Whether it is ready for requests',
      tag,
      access: probe,
      description: 'Beside the checks stand figures such as lags (`_ms`) and backlogs.',
      answers: {
        200: { description: 'Ready', schema: readyAnswer('ready') },
        503: { description: 'Not ready, with what is missing', schema: readyAnswer('not_ready') },
      },
      async run() {
        const { ready, checks: parts, figures } = await checks();
        return {
          status: ready ? 200 : 503,
          body: { status: ready ? 'ready' : 'not_ready', checks: parts, ...figures },
        };
      },
    }),
    row({
      method: 'get',
      path: '/version',
      operation: 'getVersion',
      summary: 'Versions of the API and of the service',
      tag,
      access: { kind: 'public' },
      answers: { 200: { description: 'The versions', schema: versionAnswer } },
      run: () => ({
        body: {
          api_version: 'v1',
          service_version: version.service,
          openapi_version: OPENAPI_VERSION,
          description_version: DESCRIPTION_VERSION,
          commit: version.commit,
          built_at: new Date(version.builtAt).toISOString(),
        },
      }),
    }),
    row({
      method: 'get',
      path: '/openapi/v1.json',
      operation: 'getDescription',
      summary: 'This description',
      tag,
      access: probe,
      versioned: 'by_content',
      answers: { 200: { description: 'The OpenAPI document', schema: { type: 'object' } } },
      run: () => ({ body: new JsonText(description()), headers: { 'Cache-Control': 'max-age=300' } }),
    }),
  ];
}
