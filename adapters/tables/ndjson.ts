import { parseExactly } from '../../domain/exact-json.js';
import { LONGEST_ROW, SAMPLE_CHARACTERS, SAMPLE_ROWS, tooLong } from './limits.js';
import { RowFault, type RawRow, type RawTable } from './raw-table.js';
import { textOf } from './text-file.js';

type Item = Record<string, unknown> | RowFault;

/** A JSON object in each line; columns are the members that those of the beginning have. */
export async function openNdjson(path: string): Promise<RawTable> {
  const parts = itemsOf(path);
  const begun: Item[] = [];
  let characters = 0;
  while (begun.length < SAMPLE_ROWS && characters < SAMPLE_CHARACTERS) {
    const { value, done } = await parts.next();
    if (done) break;
    begun.push(...value.items);
    characters += value.characters;
  }
  const names = new Set<string>();
  for (const item of begun)
    if (!(item instanceof RowFault)) for (const name of Object.keys(item)) names.add(name);
  return { names: [...names], separator: '', rows: rowsOf([...names], begun, parts) };
}

async function* rowsOf(
  names: readonly string[],
  begun: readonly Item[],
  further: AsyncIterable<{ readonly items: readonly Item[] }>,
): AsyncGenerator<readonly RawRow[]> {
  const row = (item: Item): RawRow =>
    item instanceof RowFault
      ? item
      : names.map(name => (Object.hasOwn(item, name) ? textIn(item[name]) : ''));
  yield begun.map(row);
  for await (const { items } of further) yield items.map(row);
}

async function* itemsOf(
  path: string,
): AsyncGenerator<{ readonly items: readonly Item[]; readonly characters: number }> {
  let rest = '';
  let count = 0;
  for await (const part of textOf(path)) {
    const lines = (rest + part.toString()).split('\n');
    rest = lines.pop()!;
    const items = lines.filter(line => line.trim() !== '').map(line => itemIn(line, ++count));
    if (items.length > 0) yield { items, characters: part.length };
    if (rest.length > LONGEST_ROW) throw tooLong(count + 1);
  }
  if (rest.trim() !== '') yield { items: [itemIn(rest, count + 1)], characters: rest.length };
}

function itemIn(line: string, row: number): Item {
  if (line.length > LONGEST_ROW) throw tooLong(row);
  try {
    const item: unknown = parseExactly(line);
    if (typeof item === 'object' && item !== null && !Array.isArray(item))
      return item as Record<string, unknown>;
    return new RowFault('is no JSON object');
  } catch {
    return new RowFault('is not JSON');
  }
}

/** Objects and lists say nothing here. */
function textIn(value: unknown): string {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
}
