import { availableIn } from '../../domain/billing/account.js';
import { creditsNumber } from '../../domain/billing/amounts.js';
import { estimateOf, type Estimate, type Operation } from '../../domain/billing/estimates.js';
import { rateItemNames, rateItems, type Rates } from '../../domain/billing/rates.js';
import { iso, MINUTE } from '../../domain/time.js';
import { array, object } from '../../json-schema.js';
import { notValid } from '../edge/errors.js';
import { row, type Row } from '../edge/row.js';
import { accountOf, common, type BillingDeps } from './deps.js';
import { paramSchemas, paramsIn } from './estimate-params.js';
import { text, time } from './schemas.js';

/** Rates change with a restart alone: so long nobody need ask again. */
const VALID_FOR = 15 * MINUTE;
const number = { type: 'number' } as const;
const operations = Object.keys(paramSchemas) as readonly Operation[];

const paramsText = operations
  .map(operation => {
    const { properties, required } = paramSchemas[operation];
    const names = Object.keys(properties).map(name =>
      (required as readonly string[]).includes(name) ? name : `${name}?`,
    );
    return `${operation} {${names.join(', ')}}`;
  })
  .join('; ');

const body = object({
  operation: { enum: operations, examples: ['inference'] },
  params: {
    type: 'object',
    description: `by operation: ${paramsText}`,
    examples: [{ steps: 14, series: 20, calls: 30 }],
  },
});

/** Whole, by operation: what is in it beyond these is passed over. */
const known = Object.fromEntries(
  operations.map(operation => [operation, object({ operation: text, params: paramSchemas[operation] })]),
);

const answer = object({
  data: object({
    credits: { ...number, description: 'What it would cost' },
    breakdown: array(
      object({
        item: { enum: rateItemNames },
        quantity: number,
        unit: text,
        rate: { ...text, description: 'Credits of one, as decimal text' },
        credits: number,
      }),
    ),
    available_after: { ...number, description: 'What would be left; below zero: so much is missing' },
    within_budget: { type: 'boolean', description: 'Whether there is enough for it now' },
    rates_version: text,
    valid_until: { ...time, description: 'Ask again after this; `max_credits` refuses a higher price' },
  }),
});

/** What work would cost, before it is asked for. */
export const estimatesRow = (deps: BillingDeps): Row =>
  row({
    ...common,
    method: 'post',
    path: '/v1/billing/estimates',
    operation: 'estimate',
    summary: 'What work would cost',
    description: 'Nothing is held and nothing begins.',
    body,
    known: ({ operation }) => known[operation]!,
    answers: { 200: { description: 'The price by the rates in force', schema: answer } },
    async run({ workspace, body: { operation, params } }) {
      const { rates, organizationOf, clock } = deps;
      const estimate = priced(rates, operation, params);
      const account = await accountOf(deps, await organizationOf(workspace), clock());
      const after = availableIn(account) - estimate.amount;
      return {
        body: {
          data: {
            credits: creditsNumber(estimate.amount),
            breakdown: estimate.lines.map(({ item, quantity, rate, amount }) => ({
              ...{ item, quantity, unit: rateItems[item].unit, rate },
              credits: creditsNumber(amount),
            })),
            available_after: creditsNumber(after),
            within_budget: after >= 0,
            rates_version: rates.version,
            valid_until: iso(clock() + VALID_FOR),
          },
        },
      };
    },
  });

function priced(rates: Rates, operation: Operation, params: unknown): Estimate {
  const wanted = paramsIn(operation, params);
  try {
    return estimateOf(rates, operation, wanted);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw notValid([{ loc: ['body', 'params'], msg: 'is more than can be counted', type: 'range' }]);
  }
}
