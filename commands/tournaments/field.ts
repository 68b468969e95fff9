import { hash } from 'node:crypto';
import { FIRST_PARTY, BUILTIN, blueprintUidOf } from '../../domain/models/hosted.js';
import {
  SEASONAL_NAIVE,
  type Champion,
  type GoalModel,
  type LocalMethod,
  type ServedModel,
  type SingleModel,
} from '../../domain/goals/model.js';
import type { Standing } from '../../domain/goals/ports.js';
import { Rejected } from '../../domain/rejected.js';
import { BLEND_NAMES } from '../../domain/tournaments/blends.js';
import { BLENDS, type Contestant, type ContestantRole } from '../../domain/tournaments/facts.js';

/** A model that a caller names: of the catalogue, a deployment, a method; or a foundation model. */
export type EntryWanted =
  | { readonly model: string }
  | { readonly family: string; readonly slug: string | null };

type Entrant = { readonly name: string; readonly model: GoalModel; readonly roles: ContestantRole[] };
type Stands = Awaited<ReturnType<Standing>>[number];

export type FieldWanted = {
  readonly standing: readonly Stands[];
  readonly champion: Champion | null;
  /** Null: everything that stands. */
  readonly entries: readonly EntryWanted[] | null;
  readonly blends: boolean;
  /** So many may cost something; what is beyond them is out of the budget. */
  readonly affordable: number;
};

/**
 * Fitted anew for each forecast of each fold these take seconds to minutes where a season is long, and they
 * would at each forecast of the goal: they take part where they are named. `mstl_ets` and `theta` stand for
 * them.
 */
const SLOW: readonly LocalMethod[] = ['ets', 'arima'];
const isQuick = ({ model }: Stands): boolean => model.kind !== 'local' || !SLOW.includes(model.method);

/**
 * Who takes part: seasonal naive, the champion and a foundation model, then what is named or, where nothing
 * is, all that stands and is quick; each once. Blends, which are made of what others forecast anyway, cost
 * nothing; and seasonal naive takes part also where nothing can be paid.
 * @throws Rejected 404 for a model that does not stand
 */
export function fieldOf({ standing, champion, entries, blends, affordable }: FieldWanted): Contestant[] {
  const generalist = generalistOf(standing);
  const baseline = standing.find(({ model }) => idOf(model) === idOf(SEASONAL_NAIVE));
  const others = entries
    ? entries.flatMap(entry => named(entry, standing))
    : withoutTwins(standing).filter(isQuick);
  const all: Entrant[] = [
    { name: baseline?.name ?? 'seasonal naive', model: SEASONAL_NAIVE, roles: ['baseline'] },
    ...(champion ? [{ name: champion.name, model: champion.model, roles: ['champion' as const] }] : []),
    ...(generalist ? [{ ...generalist, roles: ['generalist' as const] }] : []),
    ...others.map(one => ({ ...one, roles: [] })),
  ];
  const once = new Map<string, Entrant>();
  for (const one of all) {
    const id = idOf(one.model);
    const there = once.get(id);
    if (there) there.roles.push(...one.roles);
    else once.set(id, one);
  }
  const field = [...once].map(([contestantId, { name, model, roles }], i): Contestant => {
    const paid = i < affordable;
    return {
      ...{ contestantId, name, what: { kind: 'model', model }, roles, paid },
      isOut: !paid && !roles.includes('baseline'),
    };
  });
  const made = BLENDS.map(
    (blend): Contestant => ({
      contestantId: idOf({ blend }),
      name: BLEND_NAMES[blend],
      what: { kind: 'blend', blend },
      ...{ roles: [], paid: false, isOut: false },
    }),
  );
  return blends ? [...field, ...made] : field;
}

/** The same model, whatever the order of its members, has the same id. */
const idOf = (model: GoalModel | { readonly blend: string }): string =>
  `con_${hash('sha256', JSON.stringify(inOrder(model))).slice(0, 16)}`;

function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(members.map(([name, each]) => [name, inOrder(each)]));
}

const isServed = (model: SingleModel): model is ServedModel => model.kind === 'served';
const isFoundation = (one: Stands): boolean => isServed(one.model) && one.model.promotionId === null;

/** Our own smallest one, where there is one. */
const generalistOf = (standing: readonly Stands[]): Stands | undefined => {
  const foundation = standing.filter(isFoundation);
  const isOurs = ({ model }: Stands): boolean => isServed(model) && model.model.family === FIRST_PARTY;
  const isNano = (one: Stands): boolean =>
    isOurs(one) && isServed(one.model) && one.model.model.slug === 'nano';
  return foundation.find(isNano) ?? foundation.find(isOurs) ?? foundation[0];
};

/** A foundation model that is deployed would forecast the same once more. */
function withoutTwins(standing: readonly Stands[]): readonly Stands[] {
  const refOf = ({ model: { family, slug, version } }: ServedModel): string => `${family}/${slug}@${version}`;
  const seen = new Set<string>();
  return standing.filter(({ model }) => {
    if (!isServed(model)) return true;
    const ref = refOf(model);
    return !seen.has(ref) && seen.add(ref);
  });
}

/** What an entry means: the foundation model as it is, and deployments of it. */
function named(entry: EntryWanted, standing: readonly Stands[]): readonly Stands[] {
  const found = standing.filter(({ model }) => isMeant(entry, model));
  const foundation = found.filter(isFoundation);
  if (foundation.length > 0) return foundation;
  if (found.length > 0) return found;
  if ('model' in entry)
    throw new Rejected(
      'missing',
      'not_found',
      `models: there is no model ${entry.model} that could forecast`,
      {
        ...{ field: 'models', id: entry.model },
      },
    );
  const name = `${entry.family}/${entry.slug ?? ''}`;
  throw new Rejected('missing', 'model_not_available', `The model ${name} is not available`, {
    ...{ field: 'models', family: entry.family, slug: entry.slug },
  });
}

function isMeant(entry: EntryWanted, model: SingleModel): boolean {
  if (model.kind === 'local') {
    return 'model' in entry && [model.method, BUILTIN + model.method].includes(entry.model);
  }
  const { promotionId, model: ref } = model;
  if ('model' in entry)
    return entry.model === promotionId || (promotionId === null && entry.model === blueprintUidOf(ref));
  return ref.family === entry.family && (entry.slug === null || ref.slug === entry.slug);
}
