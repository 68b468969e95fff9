import type { CreditsCharged } from '../../domain/billing/facts.js';
import type { EventRecorded, EventRevised } from '../../domain/events/facts.js';
import type { Fact } from '../../domain/fact.js';
import type { InferenceCompleted, InferenceFailed } from '../../domain/inference/facts.js';
import type { PointsRecorded, PointsRevised } from '../../domain/signals/facts.js';
import { projection, type After, type Before, type Projection } from '../engine/projection.js';
import { bytesOf, bytesOfPoints, dayId, monthId, type UsageDayDoc, type UsageMonthDoc } from './documents.js';

type Docs = { usage_days: UsageDayDoc; usage_months: UsageMonthDoc };
type Counted =
  | EventRecorded
  | EventRevised
  | PointsRecorded
  | PointsRevised
  | InferenceCompleted
  | InferenceFailed;
type Shown = Counted | CreditsCharged;
type More = Partial<Pick<UsageMonthDoc, 'rows' | 'calls' | 'bytes'>>;

/** What each workspace does and pays for: a document a month, however many facts there are of it. */
export const usageProjection: Projection = projection<Docs, Shown>({
  name: 'usage',
  version: 1,
  collections: {
    usage_days: {
      indexes: [['workspace', 'day', '_id']],
      idOf: fact => (fact.type === 'CreditsCharged' ? dayId(fact) : null),
    },
    usage_months: {
      indexes: [
        ['workspace', 'month', '_id'],
        ['month', '_at', '_id'],
      ],
      idOf: fact => (fact.type === 'CreditsCharged' ? null : monthId(fact)),
    },
  },
  on: {
    EventRecorded: (before, fact) =>
      more(before, fact, { rows: 1, bytes: bytesOf(fact.data.text, fact.data.raw) }),
    EventRevised: (before, fact) =>
      more(before, fact, { rows: 1, bytes: bytesOf(undefined, fact.data.changes) }),
    PointsRecorded: points,
    PointsRevised: points,
    InferenceCompleted: (before, fact) => more(before, fact, { calls: 1 }),
    InferenceFailed: (before, fact) => more(before, fact, { calls: 1 }),
    CreditsCharged: charged,
  },
});

function points(before: Before<Docs>, fact: Fact<PointsRecorded | PointsRevised>): After<Docs> {
  const rows = fact.data.points.values.length;
  return more(before, fact, { rows, bytes: bytesOfPoints(rows) });
}

function more({ usage_months: doc }: Before<Docs>, fact: Fact, by: More): After<Docs> {
  const { rows = 0, calls = 0, bytes = 0 } = by;
  if (!doc) return { usage_months: begun(fact, { rows, calls, bytes }) };
  return {
    usage_months: { ...doc, rows: doc.rows + rows, calls: doc.calls + calls, bytes: doc.bytes + bytes },
  };
}

function begun(fact: Fact, counted: Required<More>): UsageMonthDoc {
  const _id = monthId(fact)!;
  return { _id, workspace: fact.meta.workspace!, month: _id.slice(-'2026-03'.length), ...counted };
}

function charged({ usage_days: doc }: Before<Docs>, fact: Fact<CreditsCharged>): After<Docs> {
  const { price, pipelineId, goalId } = fact.data;
  const workspace = fact.meta.workspace!;
  const _id = dayId(fact)!;
  const place = `${price.item}/${pipelineId ?? ''}${goalId === undefined ? '' : `/${goalId}`}`;
  const { quantity, amount, charges } = doc?.spent[place] ?? { quantity: 0, amount: 0, charges: 0 };
  return {
    usage_days: {
      ...{ _id, workspace },
      day: _id.slice(-'2026-03-27'.length),
      spent: {
        ...doc?.spent,
        [place]: {
          quantity: quantity + price.quantity,
          amount: amount + price.amount,
          charges: charges + 1,
        },
      },
    },
  };
}
