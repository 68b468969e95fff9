import { rateItemNames, rateItems, type Rates } from '../../domain/billing/rates.js';
import { iso } from '../../domain/time.js';
import { array, object } from '../../json-schema.js';
import { row, type Row } from '../edge/row.js';
import { common } from './deps.js';
import { text, time } from './schemas.js';

const answer = object({
  data: object({
    version: text,
    effective_from: time,
    rates: array(
      object({
        item: { enum: rateItemNames },
        unit: { ...text, description: 'What one of it is', examples: ['step of one series'] },
        credits: { ...text, description: 'What one costs, as decimal text', examples: ['0.0001'] },
        note: text,
      }),
    ),
  }),
});

/** What everything costs. */
export const ratesRow = ({ rates }: { readonly rates: Rates }): Row =>
  row({
    ...common,
    path: '/v1/billing/rates',
    operation: 'listRates',
    summary: 'What everything costs',
    description: 'What is not listed is free: reads, recording, pushes, deliveries, segments, previews.',
    answers: { 200: { description: 'The rates in force', schema: answer } },
    run() {
      const { version, effectiveFrom, credits } = rates;
      const listed = rateItemNames.map(item => ({ item, ...rateItems[item], credits: credits[item] }));
      return { body: { data: { version, effective_from: iso(effectiveFrom), rates: listed } } };
    },
  });
