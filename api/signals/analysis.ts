import { Rejected } from '../../domain/rejected.js';
import { notValid } from '../edge/errors.js';
import { spanIn } from '../edge/times.js';
import { invalidParameter } from '../edge/prepare.js';
import { row, type Row } from '../edge/row.js';
import type { TimeWindow } from './analysis-data.js';
import { analysing, keysIn } from './analysing.js';
import { subjectsOf } from './subjects.js';
import * as schemas from './analysis-schemas.js';
import { causalityAnswer, causalityQuery } from './causality-schemas.js';
import { reads as access, tag, type AnalysisDeps } from './deps.js';

const heavy = { tag, access, policy: 'heavy' } as const;
/** Steps that correlation and relevance look at when no time is named. */
const STEPS = 1_000;
/** Names of differencing in the query, and what they mean. */
const differencing = { false: 'none', true: 'all', auto: 'auto' } as const;

/**
 * Analyses of many series: in the compute pool, kept as long as the data stay the same. Spec 4.3, open-parts
 * 4.4, 31.12, 31.13.
 */
export function analysisRows(deps: AnalysisDeps): Row[] {
  const { reads } = deps;
  const { analysed, named } = analysing(deps);

  return [
    row({
      ...heavy,
      method: 'get',
      path: '/v1/signal/causality',
      operation: 'analyseCausality',
      summary: 'Granger causality among signals',
      description:
        'Tests for each ordered pair whether the past of the one helps to foretell the other, on the '
        + 'latest `windows` x `signal_count` steps that all have in common. What the numbers mean: '
        + 'docs/causality.md.',
      query: causalityQuery,
      query400: true,
      errors: { 400: ['invalid_parameter', 'analysis_too_long', 'analysis_too_large'] },
      answers: {
        200: {
          description:
            'A bare object; with `error` beside it when there is too little data, or nothing significant',
          schema: causalityAnswer,
        },
      },
      async run(call) {
        const {
          windows,
          signal_count: signalCount,
          significance_level: significanceLevel,
          max_lag: maxLag = null,
          difference,
          intensity,
        } = call.query;
        const settings = {
          windows,
          signalCount,
          maxLag,
          significanceLevel,
          difference: differencing[difference],
        };
        try {
          const subjects = await named(call.workspace, call.query.keys, schemas.MOST_KEYS.causality);
          return await analysed(
            'causality',
            call,
            subjects,
            { ...latest(windows * signalCount), common: true },
            { intensity, settings },
          );
        } catch (error) {
          throw error instanceof Rejected ? invalidParameter(error) : error;
        }
      },
    }),
    row({
      ...heavy,
      method: 'get',
      path: '/v1/signal/correlation',
      operation: 'analyseCorrelation',
      summary: 'Correlation of signals',
      query: schemas.correlationQuery,
      description:
        'Every two series over the steps where both have a value, with p and q values. Series that '
        + 'merely trend correlate whatever they mean: see `warnings`.',
      answers: { 200: { description: 'Pairs, the strongest first', schema: schemas.correlationAnswer } },
      errors: { 422: ['analysis_too_long', 'analysis_too_large'] },
      async run(call) {
        const { keys, method, max_lag: maxLag, difference, intensity } = call.query;
        const span = { ...latest(STEPS), ...spanIn(call.query) };
        const subjects = await named(call.workspace, keys, schemas.MOST_KEYS.correlation);
        return analysed('correlation', call, subjects, span, { intensity, method, maxLag, difference });
      },
    }),
    row({
      ...heavy,
      method: 'get',
      path: '/v1/signal/relevance',
      operation: 'analyseRelevance',
      summary: 'Which signals and streams help to forecast one',
      query: schemas.relevanceQuery,
      description:
        "The share by which the out-of-sample error of a forecast from the target's own past falls when a "
        + 'key is added: docs/series.md.',
      answers: { 200: { description: 'The most relevant first', schema: schemas.relevanceAnswer } },
      errors: { 422: ['analysis_too_long', 'analysis_too_large'] },
      async run(call) {
        const { target, keys, horizon, intensity } = call.query;
        const { workspace } = call;
        const others =
          keys === undefined
            ? await reads.catalogue.newestKeys(workspace, schemas.DEFAULT_KEYS + 1)
            : keysIn(keys, schemas.MOST_KEYS.relevance);
        const aim = await subjectsOf(reads, workspace, [target], 'target');
        if (aim.all[0]!.type !== 'signal')
          throw notValid([
            { loc: ['query', 'target'], msg: 'must be a signal', type: 'unknown_key', input: target },
          ]);
        const among = others
          .filter(key => key !== target)
          .slice(0, keys === undefined ? schemas.DEFAULT_KEYS : undefined);
        const rest = await subjectsOf(reads, workspace, among, 'keys');
        const subjects = { all: [...aim.all, ...rest.all], version: `${aim.version};${rest.version}` };
        return analysed('relevance', call, subjects, latest(STEPS), { intensity, horizon });
      },
    }),
  ];
}

const latest = (steps: number): TimeWindow => ({ from: null, to: null, steps, common: false });
