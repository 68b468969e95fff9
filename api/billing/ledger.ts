import { creditsText } from '../../domain/billing/amounts.js';
import { iso } from '../../domain/time.js';
import { array, nullable, object } from '../../json-schema.js';
import { ENTRY_KINDS, type EntryDoc } from '../../projections/billing/documents.js';
import { perPage, perPageMembers, perPageQuery } from '../edge/paging.js';
import { row, type Row } from '../edge/row.js';
import { spanIn } from '../edge/times.js';
import { common, type BillingDeps } from './deps.js';
import * as schemas from './schemas.js';

const query = object(perPageQuery(), {
  kind: { enum: ENTRY_KINDS },
  from: { type: 'string', maxLength: 100, examples: ['2026-03-01T00:00:00Z'] },
  to: { type: 'string', maxLength: 100, examples: ['2026-04-01T00:00:00Z'] },
  reference: {
    type: 'string',
    maxLength: 200,
    description: 'The id of what is paid for',
    examples: ['inf_0o2r9z8kq1x4m7ab'],
  },
});

const entry = object({
  ledger_id: schemas.text,
  at: schemas.time,
  kind: { enum: ENTRY_KINDS },
  amount: { ...schemas.credits, description: 'What it adds to what is available; below zero it takes away' },
  balance_after: { ...schemas.credits, description: 'What was available then to the whole organization' },
  item: { ...nullable(schemas.text), description: 'A line of the rates' },
  quantity: nullable({ type: 'number' }),
  rate: { ...nullable(schemas.text), description: 'Credits for one, as decimal text' },
  rates_version: nullable(schemas.text),
  reference: nullable(schemas.reference),
  pipeline_id: nullable(schemas.text),
  workspace_id: { ...nullable(schemas.text), description: 'null: an entry of the organization' },
  note: nullable(schemas.text),
});
const answer = object({ data: object({ entries: array(entry), ...perPageMembers }) });

/** What was granted, held and charged. */
export const ledgerRow = (deps: BillingDeps): Row =>
  row({
    ...common,
    path: '/v1/billing/ledger',
    operation: 'listLedger',
    summary: 'What was granted, held, released and charged, newest first',
    description:
      'Shows the entries of the workspace, and those of its organization (grants, adjustments). '
      + 'Nothing is ever changed in it: what is available is the sum of all entries of the organization.',
    query,
    answers: { 200: { description: 'A page of the ledger', schema: answer } },
    async run({ workspace, query: asked }) {
      const { kind = null, reference = null, page, per_page: limit } = asked;
      const organizationId = await deps.organizationOf(workspace);
      await deps.visible(await deps.commands.settled(organizationId));
      const filter = { kind, reference, ...spanIn(asked) };
      const offset = (page - 1) * limit;
      const { entries, total } = await deps.queries.entries(organizationId, workspace, filter, limit, offset);
      return { body: { data: { entries: entries.map(view), ...perPage(asked, total) } } };
    },
  });

const view = (doc: EntryDoc) => ({
  ledger_id: doc.ledger_id,
  at: iso(doc.at),
  kind: doc.kind,
  amount: creditsText(doc.amount),
  balance_after: creditsText(doc.balance),
  item: doc.price?.item ?? null,
  quantity: doc.price?.quantity ?? null,
  rate: doc.price?.rate ?? null,
  rates_version: doc.price?.ratesVersion ?? null,
  reference:
    doc.reference_id === null || doc.reference_type === null
      ? null
      : { type: doc.reference_type, id: doc.reference_id },
  pipeline_id: doc.pipeline_id,
  workspace_id: doc.workspace === '' ? null : doc.workspace,
  note: doc.note,
});
