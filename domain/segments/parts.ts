import { sheetsToShare, type ColumnBuffer, type FeatureMaker, type Machine, type Making } from './columns.js';
import { eventColumn, responseColumn, type EventColumn, type NewReading } from './event-column.js';
import { kinds } from './features/kinds.js';
import { usualSeason } from './fill.js';
import type { Holidays } from './holidays.js';
import { blockOf, fromOf, signalOf, targetOf, toOf, type EntityRows } from './layout.js';
import { columnOfStream, columnsOfFeature, inputsOf, isOfDays, streamsOf, type Plan } from './plan.js';
import type { Sources } from './ports.js';
import type { QualityWatch } from './quality.js';
import type { EventStream, FeatureKind, FeatureOf, Input, Recipe } from './recipe.js';
import { Reading, readingId, type NewDigest } from './receipts.js';
import type { Responses } from './responses.js';
import { SignalColumn } from './signal-column.js';
import type { Steps } from './steps.js';
import { Transformer } from './transform.js';
import { EARLIEST, LATEST, SECOND } from '../time.js';

/** What all entities of a table share. */
export type Ground = {
  readonly recipe: Recipe;
  readonly plan: Plan;
  readonly sources: Sources;
  readonly steps: Steps;
  readonly holidays: Holidays;
  readonly responses: Responses;
  readonly watch: QualityWatch;
  /** Of what is read; null: nobody asks for receipts. */
  readonly newDigest: NewDigest | null;
};

/** What makes the columns of one entity. */
export type Parts = {
  readonly signals: readonly SignalColumn[];
  readonly statics: readonly { readonly buffer: ColumnBuffer; readonly value: number }[];
  readonly events: readonly EventColumn[];
  readonly machines: readonly { readonly machine: Machine; readonly outs: readonly ColumnBuffer[] }[];
};

export async function partsOf(
  ground: Ground,
  rows: EntityRows,
  buffers: ReadonlyMap<string, ColumnBuffer>,
): Promise<Parts> {
  const { recipe, plan, steps, holidays } = ground;
  const column = (name: string): ColumnBuffer => buffers.get(name)!;
  const inputs = inputsOf(recipe);
  const signals = [await signalColumn(ground, rows, column(recipe.target), null)];
  for (const input of inputs.filter(({ role }) => role !== 'static'))
    signals.push(await signalColumn(ground, rows, column(input.key), input));
  const statics: { buffer: ColumnBuffer; value: number }[] = [];
  for (const input of inputs.filter(({ role }) => role === 'static'))
    statics.push({ buffer: column(input.key), value: await firstValue(input, rows.entity, ground) });
  const shared = {
    ...{ column, zone: steps.zone, isOfDays: isOfDays(recipe), sheets: sheetsToShare() },
    isHoliday: holidays.isHoliday,
  };
  return {
    signals,
    statics,
    events: eventColumns(ground, rows, column),
    machines: plan.features.map(feature => {
      const outs = columnsOfFeature(feature).map(column);
      return { outs, machine: machineOf(feature, { ...shared, outs }) };
    }),
  };
}

/** Columns of streams, and of features that are what events of a stream do. */
function eventColumns(
  ground: Ground,
  rows: EntityRows,
  column: (name: string) => ColumnBuffer,
): EventColumn[] {
  const { recipe, plan, sources, steps, responses } = ground;
  const shared = {
    ...{ sources, steps, stepMs: recipe.step_s * SECOND, firstStep: rows.start, pastEnd: rows.end },
    window: { from: fromOf(recipe), to: toOf(recipe) },
  };
  const made = (stream: EventStream, name: string): EventColumn => {
    const newReading = readingsOf(ground, rows, name);
    const of = { ...shared, stream, buffer: column(name), newReading };
    if (stream.encoding !== 'response_curve') return eventColumn(of);
    return responseColumn(of, responses.of(stream.stream, rows.entity));
  };
  return [
    ...streamsOf(recipe).map(stream => made(stream, columnOfStream(stream))),
    ...plan.features.flatMap(({ name, kind, params }) =>
      kind === 'event_response'
        ? [made({ stream: params.stream, encoding: 'response_curve', half_life_s: 0 }, name)]
        : [],
    ),
  ];
}

function machineOf<K extends FeatureKind>({ kind, params }: FeatureOf<K>, making: Making): Machine {
  const maker: FeatureMaker<typeof params> = kinds[kind];
  return maker.machine(params, making);
}

async function signalColumn(
  ground: Ground,
  rows: EntityRows,
  buffer: ColumnBuffer,
  input: Input | null,
): Promise<SignalColumn> {
  const { recipe, plan, sources, watch } = ground;
  const { entity, end } = rows;
  const isKnownAhead = input?.role === 'known_future';
  const to = toOf(recipe);
  const fill = input ? recipe.fill : { method: 'none' as const, max_gap_steps: 0 };
  const options = {
    key: input ? await signalOf(input.key, entity, sources) : targetOf(recipe, entity),
    lagS: input?.lag_s ?? 0,
    from: fromOf(recipe),
    to: isKnownAhead ? to : Math.min(to, end),
    isKnownAhead,
    aggregate: recipe.aggregate,
    fill,
    season: fill.method === 'seasonal' ? usualSeason(recipe.step_s) : null,
    transform: input?.transform ?? ('none' as const),
    lookAhead: input ? plan.lookAhead : 0,
    block: blockOf(rows),
  };
  const newReading = readingsOf(ground, rows, buffer.name);
  return new SignalColumn(buffer, options, sources, watch.points(buffer.name), newReading);
}

const readingsOf =
  ({ newDigest }: Ground, { entity }: EntityRows, column: string): NewReading =>
  (of, key, from) =>
    newDigest && new Reading(readingId(entity, column), of, key, from, newDigest);

/** What never changes has one value in all rows, also in those before it was recorded. */
export async function firstValue(
  { key, transform }: Input,
  entity: string | null,
  { sources }: Pick<Ground, 'sources'>,
): Promise<number> {
  const signal = await signalOf(key, entity, sources);
  const span = await sources.span(signal, EARLIEST, LATEST + 1);
  let first = NaN;
  if (!span) return first;
  for await (const { values } of sources.points(signal, span.first, span.first + 1))
    first = values[0] ?? first;
  const value = Float64Array.of(first);
  new Transformer(transform).run(value);
  return value[0]!;
}
