import { readFileSync } from 'node:fs';
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import { creditsIn } from '../domain/billing/amounts.js';
import {
  builtInPlans,
  limitedTo,
  planIn,
  quotaNames,
  type Plan,
  type Plans,
} from '../domain/billing/plans.js';
import { builtInRates, rateItemNames, type Rates } from '../domain/billing/rates.js';
import { array, object, type FromSchema, type Schema } from '../json-schema.js';
import { BadConfiguration } from './bad-configuration.js';
import type { Config } from './variables.js';

/** `plan`: of those who were given no other. */
export type BillingTables = { readonly plans: Plans; readonly rates: Rates; readonly plan: Plan };
type Settings = Pick<Config, 'PLANS_FILE' | 'RATES_FILE' | 'DEFAULT_PLAN'>;

/**
 * Plans and rates, from the files that are named or as they are built in. @throws BadConfiguration that names
 * the file, the place in it and what is wrong there
 */
export function billingTables({ PLANS_FILE, RATES_FILE, DEFAULT_PLAN }: Settings): BillingTables {
  const plans = PLANS_FILE === '' ? builtInPlans : plansIn(PLANS_FILE);
  const rates = RATES_FILE === '' ? builtInRates : ratesIn(RATES_FILE);
  const plan = planIn(plans, DEFAULT_PLAN);
  if (plan) return { plans, rates, plan };
  const ids = plans.plans.map(({ id }) => id).join(', ');
  throw new BadConfiguration(`DEFAULT_PLAN="${DEFAULT_PLAN}" is not possible: one of ${ids}`);
}

const version = { type: 'string', minLength: 1, maxLength: 64 } as const;
const closed = { additionalProperties: false } as const;

const plansSchema = {
  ...object({
    version,
    plans: {
      ...array({
        ...object({
          id: { type: 'string', pattern: '^[a-z][a-z0-9_-]{0,31}$' },
          name: { type: 'string', minLength: 1, maxLength: 100 },
          credits: { type: 'string', pattern: '^\\d{1,12}(\\.\\d{1,3})?$' },
          limits: {
            type: 'object',
            properties: Object.fromEntries(
              quotaNames.map(name => [name, { type: ['integer', 'null'], minimum: 0 }] as const),
            ),
            ...closed,
          },
        }),
        ...closed,
      }),
      minItems: 1,
    },
  }),
  ...closed,
} as const;

const ratesSchema = {
  ...object({
    version,
    effective_from: { type: 'string', pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d{1,3})?Z$' },
    credits: {
      type: 'object',
      properties: Object.fromEntries(
        rateItemNames.map(name => [name, { type: 'string', pattern: '^\\d{1,9}(\\.\\d{1,12})?$' } as const]),
      ),
      required: rateItemNames,
      ...closed,
    },
  }),
  ...closed,
} as const;

function plansIn(file: string): Plans {
  const read = readTable('PLANS_FILE', file, plansSchema) as FromSchema<typeof plansSchema>;
  const ids = read.plans.map(({ id }) => id);
  const twice = ids.findIndex((id, i) => ids.indexOf(id) < i);
  if (twice >= 0) throw fault('PLANS_FILE', file, `plans[${twice}].id: there is another plan ${ids[twice]}`);
  const plans = read.plans.map(
    ({ id, name, credits, limits }): Plan => ({
      ...{ id, name },
      credits: creditsIn(credits)!,
      limits: limitedTo(limits as Partial<Plan['limits']>),
    }),
  );
  return { version: read.version, plans };
}

function ratesIn(file: string): Rates {
  const read = readTable('RATES_FILE', file, ratesSchema) as FromSchema<typeof ratesSchema>;
  const effectiveFrom = Date.parse(read.effective_from);
  if (Number.isNaN(effectiveFrom)) throw fault('RATES_FILE', file, 'effective_from: there is no such time');
  return { version: read.version, effectiveFrom, credits: read.credits as Rates['credits'] };
}

type Setting = 'PLANS_FILE' | 'RATES_FILE';

function readTable(setting: Setting, file: string, schema: Schema): unknown {
  const value = parsed(setting, file);
  const ajv = new Ajv2020({ allErrors: true, allowUnionTypes: true });
  if (ajv.validate(schema, value)) return value;
  throw fault(setting, file, (ajv.errors ?? []).map(faultText).join('; '));
}

function parsed(setting: Setting, file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as unknown;
  } catch (error) {
    throw fault(setting, file, (error as Error).message);
  }
}

/** Where, as `plans[1].credits`, and what. */
function faultText({ instancePath, keyword, message, params }: ErrorObject): string {
  const place = instancePath
    .slice(1)
    .replace(/\/(\d+)/g, '[$1]')
    .replaceAll('/', '.');
  const unknown = keyword === 'additionalProperties' && `has no member ${String(params.additionalProperty)}`;
  return `${place || 'the whole'}: ${unknown || message}`;
}

const fault = (setting: Setting, file: string, what: string): BadConfiguration =>
  new BadConfiguration(`${setting}="${file}" is not possible: ${what}`);
