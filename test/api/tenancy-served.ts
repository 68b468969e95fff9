import fc from 'fast-check';
import { START } from './tenancy-operations.js';

// What two tenants may do with models: deployments, inferences, models of their own. Their ids are drawn by
// the platform: requests name the one that was drawn last by its place holder.

const one = <T>(list: readonly T[]) => fc.constantFrom(...list);
const whose = fc.constantFrom('own', 'own', 'own', 'other');
const tasks = ['forecast', 'forecast', 'anomaly', 'backtest', 'impute', 'embed', 'classify'] as const;
const steps = { start: new Date(START - 86_400_000).toISOString(), step_s: 60 };
const series = [
  { id: 'a', ...steps, values: Array.from({ length: 30 }, (_, i) => (i % 7) + i) },
  { id: 'b', ...steps, values: [1, null, 3, 2, 5, 4, 6, 5, 8] },
];
const examples = series.map(({ id, values }) => ({ label: id, values }));

export const DEPLOY = {
  do: 'deploy',
  path: '/v1/deployments',
  body: { blueprint_uid: 'presage__nano' },
} as const;

export const served = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('deploy' as const),
      path: one(['/v1/models/deploy-foundation', '/v1/deployments']),
      body: one([DEPLOY.body, { blueprint_uid: 'presage__mini', horizon: 9 }]),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('deployment' as const),
      call: one([
        ['GET', ''],
        ['GET', '/status'],
        ['GET', '/events'],
        ['POST', '/scale', { min: 1, max: 2 }],
        ['POST', '/retry', {}],
        ['POST', '/unpromote', { reason: 'no more' }],
      ] as const),
      whose,
    }),
  },
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant('infer' as const),
      task: one(tasks),
      of: one([{ series }, { series: series.slice(1) }, { key: 's' }, { key: 'a' }]),
      more: one([{}, {}, { async: true }, { as_of: new Date(START).toISOString() }]),
      whose,
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('inference' as const),
      call: one([
        ['GET', ''],
        ['POST', '/cancel'],
        ['POST', '/replay'],
      ] as const),
      whose,
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('model' as const),
      call: one([
        ['POST', '', { kind: 'custom', algorithm: 'naive', name: 'N' }],
        ['POST', '', { kind: 'foundation', family: 'presage' }],
        ['GET', 'ID'],
        ['POST', 'ID/rating', { rating: 4 }],
      ] as const),
      whose,
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('all' as const),
      path: one([
        '/v1/deployments',
        '/v1/deployments?status=deployed',
        '/v1/inference',
        '/v1/inference?status=queued&limit=1',
        '/v1/inference/usage',
        '/v1/inference/usage?group_by=promotion',
      ]),
    }),
  },
);
export type Served = typeof served extends fc.Arbitrary<infer T> ? T : never;

export const FORECAST: Served = { do: 'infer', task: 'forecast', of: { series }, more: {}, whose: 'own' };

/** The newest id of each kind that a tenant was told; there is none at first. */
export type Drawn = Record<'prm' | 'inf' | 'mdl' | 'ntf' | 'chn' | 'seg' | 'ftr', string>;
export const NONE_DRAWN: Drawn = {
  prm: 'prm_0123456789abcdef_0000000000000000',
  inf: 'inf_0000000000000000',
  mdl: 'mdl_0000000000000000',
  ntf: 'ntf_0000000000000000',
  chn: 'chn_0000000000000000',
  seg: 'seg_0000000000000000',
  ftr: 'ftr_0000000000000000',
};

/** Method, path and body; `of`: ids of whoever is meant. */
export function servedCall(
  each: Served,
  of: (whose: 'own' | 'other') => Drawn,
): readonly [method: string, path: string, body?: object | undefined] {
  switch (each.do) {
    case 'deploy':
      return ['POST', each.path, each.body];
    case 'deployment': {
      const [method, path, body] = each.call;
      return [method, `/v1/deployments/${of(each.whose as 'own').prm}${path}`, body];
    }
    case 'infer': {
      const { task } = each;
      const own = { ...(task === 'forecast' && { horizon: 2 }), ...(task === 'classify' && { examples }) };
      const few = task === 'backtest' && { horizon: 2, windows: 2, step: 1 };
      // In the request itself there is no past state
      const { as_of: asOf, ...more } = each.more as { as_of?: string };
      const then = asOf !== undefined && 'key' in each.of && { as_of: asOf };
      const promotion_id = of(each.whose as 'own').prm;
      return [
        'POST',
        `/v1/inference/${task}`,
        { promotion_id, ...each.of, ...own, ...few, ...more, ...then },
      ];
    }
    case 'inference':
      return [each.call[0], `/v1/inference/${of(each.whose as 'own').inf}${each.call[1]}`];
    case 'model': {
      const [method, path, body] = each.call;
      const below = path.replace('ID', of(each.whose as 'own').mdl);
      return [method, `/v1/models${below === '' ? '' : `/${below}`}`, body];
    }
    case 'all':
      return ['GET', each.path];
  }
}

/** Notes the ids that an answer told of. */
export function noteDrawn(drawn: Drawn, path: string, text: string): void {
  const named = (member: string) => new RegExp(`"${member}":"(drawn#\\d+)"`).exec(text)?.[1];
  drawn.prm = (/deploy/.test(path) && named('promotion_id')) || drawn.prm;
  drawn.inf = named('inference_id') ?? drawn.inf;
  drawn.ntf = named('notification_id') ?? drawn.ntf;
  drawn.chn = named('channel_id') ?? drawn.chn;
  drawn.seg = named('segment_id') ?? drawn.seg;
  drawn.ftr = named('feature_id') ?? drawn.ftr;
  drawn.mdl = (path === '/v1/models' && named('uid')) || drawn.mdl;
}

/**
 * How long something took, and how far the whole log had come; and how the workers do that all tenants share:
 * whether one of them has just proved that a model works is not of one tenant.
 */
const PASSING = new Set(['latency_ms', 'p95_ms', 'event_log_position', 'health', 'conditions', 'ready']);
const UNPROVED = 'Deployed, and no forward pass has worked within the last minute';

/** An answer without what is never the same twice. */
export const steadied = (text: string): string =>
  JSON.stringify(JSON.parse(text), (name, value: unknown) => (PASSING.has(name) ? null : value)).replaceAll(
    UNPROVED,
    'Ready for forecasts',
  );
