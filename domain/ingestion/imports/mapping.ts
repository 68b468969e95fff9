import type { ColumnGuess } from '../../tables/sample.js';

/** What becomes of a point, or an event, that is there already: its new value counts, or it stays. */
export type OnDuplicate = 'revise' | 'skip';

/**
 * What the columns of a file mean. Long: each row is a value of the series that its cell in `key` names (of
 * `stream` and the value's column where there is none). Wide: each column of `columns` is a series. `entity`:
 * whose a row is, which makes `<key>__<entity>`.
 */
export type Mapping = {
  readonly time: string;
  /** strftime, or one of the names that a preview gives; null: as the first rows have it. */
  readonly timeFormat: string | null;
  /** IANA; of times that name no zone themselves. */
  readonly timezone: string;
  readonly layout: 'long' | 'wide';
  readonly key: string | null;
  readonly value: string | null;
  readonly entity: string | null;
  /** Column -> key. */
  readonly columns: Readonly<Record<string, string>> | null;
  readonly eventText: string | null;
  readonly stream: string | null;
  readonly onDuplicate: OnDuplicate;
};

/** What somebody asked for: all may be left out. */
export type MappingAsked = Partial<{ [M in keyof Mapping]: Mapping[M] | null }>;

/** Something wrong in a mapping: the member of it (as callers spell it), and why. */
export type MappingFault = { readonly member: string; readonly message: string };

export const DEFAULT_STREAM = 'events';

/** What was asked for, the rest as the columns suggest it; null: there is no column of times to be seen. */
export function mappingFor(
  asked: MappingAsked,
  columns: readonly ColumnGuess[],
  guessedEntity: string | null,
): Mapping | null {
  const time = asked.time ?? columns.find(({ type }) => type === 'time')?.name;
  if (time === undefined) return null;
  const guessed = columns.find(({ name }) => name === time)?.timeFormat ?? null;
  const given = {
    time,
    timeFormat: asked.timeFormat ?? guessed,
    timezone: asked.timezone ?? 'UTC',
    key: asked.key ?? null,
    value: asked.value ?? null,
    entity: asked.entity ?? null,
    columns: asked.columns ?? null,
    eventText: asked.eventText ?? null,
    stream: asked.stream ?? null,
    onDuplicate: asked.onDuplicate ?? 'revise',
  } as const;
  const says = [given.columns, given.value, given.key, given.eventText].some(part => part !== null);
  const layout = asked.layout ?? (given.key !== null || given.value !== null ? 'long' : 'wide');
  if (says || asked.layout === 'long') return { ...given, layout };
  if (asked.layout) return { ...given, layout, columns: seriesIn(columns, given) };
  return { ...given, layout, ...suggested(columns, given, guessedEntity) };
}

type Whose = Pick<Mapping, 'time' | 'entity' | 'stream'>;

/** The columns that seem to be values, with the keys they go to. */
function seriesIn(columns: readonly ColumnGuess[], { time, entity, stream }: Whose): Mapping['columns'] {
  const keys = columns
    .filter(({ name, type }) => name !== time && name !== entity && (type === 'number' || type === 'boolean'))
    .map(({ name }) => [name, stream === null ? name : `${stream}.${name}`] as const);
  return Object.fromEntries(keys);
}

/** What a file seems to hold of which nothing was said: series, or else texts of events. */
function suggested(
  columns: readonly ColumnGuess[],
  { time, entity: given, stream }: Whose,
  guessedEntity: string | null,
): Partial<Mapping> {
  const entity = given ?? guessedEntity;
  const found = seriesIn(columns, { time, entity, stream })!;
  const values = Object.keys(found);
  const text = columns.find(({ name, type }) => type === 'text' && name !== time && name !== entity);
  if (values.length === 0 && text) return { eventText: text.name };
  if (given === null && entity !== null && values.length === 1)
    return { layout: 'long', key: entity, value: values[0]! };
  return { entity, columns: found };
}

/** What is wrong in a mapping whatever the file is; [] when nothing is. */
export function shapeFaultsIn({
  layout,
  key,
  value,
  columns,
  eventText,
  stream,
}: ShapeAsked): MappingFault[] {
  const faults: MappingFault[] = [];
  const isGiven = (part: unknown): boolean => part !== undefined && part !== null;
  if (layout === 'long' && isGiven(columns))
    faults.push({ member: 'columns', message: "is for layout 'wide'" });
  if (layout === 'wide' && isGiven(key)) faults.push({ member: 'key', message: "is for layout 'long'" });
  if (layout === 'wide' && isGiven(value) && !isGiven(eventText))
    faults.push({ member: 'value', message: "is for layout 'long'" });
  if (layout === 'long' && !isGiven(value) && !isGiven(eventText))
    faults.push({ member: 'value', message: 'is required: the column of values, or `event_text`' });
  if (layout === 'long' && isGiven(value) && !isGiven(key) && !isGiven(stream) && !isGiven(eventText))
    faults.push({ member: 'key', message: 'is required: the column that names the series, or `stream`' });
  return faults;
}
type ShapeAsked = Pick<MappingAsked, 'layout' | 'key' | 'value' | 'columns' | 'eventText' | 'stream'>;

/** What keeps a mapping from being used on a file with these columns; [] when it can be. */
export function faultsIn(mapping: Mapping, names: readonly string[]): MappingFault[] {
  const { time, key, value, entity, eventText, columns, layout } = mapping;
  const known = new Set(names);
  const unknown = (member: string, column: string | null): MappingFault[] =>
    column === null || known.has(column)
      ? []
      : [{ member, message: `names the column '${column}'; the file has ${listed(names)}` }];
  const faults = [
    ...unknown('time', time),
    ...unknown('key', key),
    ...unknown('value', value),
    ...unknown('entity', entity),
    ...unknown('event_text', eventText),
    ...Object.keys(columns ?? {}).flatMap(column => unknown(`columns.${column}`, column)),
    ...shapeFaultsIn(mapping),
  ];
  if (layout === 'wide' && eventText === null && Object.keys(columns ?? {}).length === 0)
    faults.push({ member: 'columns', message: 'is required: the file has no column of numbers' });
  return faults;
}

const SHOWN = 20;

const listed = (names: readonly string[]): string =>
  names.length <= SHOWN
    ? names.join(', ')
    : `${names.slice(0, SHOWN).join(', ')} and ${names.length - SHOWN} more`;
