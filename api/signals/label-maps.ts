import { Readable } from 'node:stream';
import { groupOriginOf, unitOf, type Entry, type SignalEntry } from '../../projections/catalogue/entries.js';
import type { SignalDeps } from './deps.js';

type Deps = Pick<SignalDeps, 'lists' | 'catalogue'>;
type Origins = Record<string, number>;

// Maps by key as streams of JSON text: memory stays flat however many signals there are.
const asStream = (text: AsyncGenerator<string>): Readable =>
  Readable.from(text, { objectMode: false, highWaterMark: 65_536 });

export const unitsMap = (deps: Deps, workspace: string): Readable => asStream(unitsText(deps, workspace));

async function* unitsText({ lists, catalogue }: Deps, workspace: string): AsyncGenerator<string> {
  const pieces = members();
  yield '{"units":{';
  for await (const page of lists.pages({ workspace, group: null })) {
    yield pieces(page.map(doc => [doc.key, unitOf({ subscribed: false, doc })]));
  }
  yield `${pieces((await catalogue.aliases(workspace)).map(alias => [alias.key, unitOf(alias)]))}}}`;
}

export const groupsMap = (deps: Deps, workspace: string): Readable => asStream(groupsText(deps, workspace));

async function* groupsText({ lists, catalogue }: Deps, workspace: string): AsyncGenerator<string> {
  const pieces = members();
  const others = await othersIn(catalogue, workspace);
  const counts = groupsAmong(others);
  yield '{"assignments":{';
  for await (const page of lists.pages({ workspace, group: null })) {
    others.forgetStreams(page.map(({ key }) => key));
    yield pieces(
      page.map(({ key, group, assigned }) => [key, { group, origin: assigned ? 'user' : 'inferred' }]),
    );
  }
  const assigned = others.all().map((entry): [string, object] => {
    const { key, doc } = entry;
    return [key, { group: doc.group, origin: groupOriginOf(entry) }];
  });
  yield `${pieces(assigned)}},"groups":[`;
  let separator = '';
  for await (const page of lists.groups(workspace))
    for (const { name, kinds } of page) {
      const of = counts.get(name);
      counts.delete(name);
      yield separator + groupText(name, added(kinds, of));
      separator = ',';
    }
  for (const [name, origins] of counts) {
    yield separator + groupText(name, origins);
    separator = ',';
  }
  yield ']}';
}

export const namesMap = (deps: Deps, workspace: string): Readable => asStream(namesText(deps, workspace));

async function* namesText({ lists, catalogue }: Deps, workspace: string): AsyncGenerator<string> {
  const pieces = members();
  const others = await othersIn(catalogue, workspace);
  yield '{';
  for await (const page of lists.pages({ workspace, group: null })) {
    const named = page.filter(({ name }) => name !== null);
    others.forgetStreams(named.map(({ key }) => key));
    yield pieces(named.map(({ key, name }) => [key, name]));
  }
  yield `${pieces(others.all().map(({ key, doc }) => [key, doc.name]))}}`;
}

/** What is not a signal of the workspace's own; of a stream, only what no signal of its key says already. */
async function othersIn(catalogue: Deps['catalogue'], workspace: string) {
  const aliases: readonly SignalEntry[] = await catalogue.aliases(workspace);
  const streams = new Map((await catalogue.streams(workspace)).map(entry => [entry.key, entry]));
  return {
    all: (): Entry[] => [...aliases, ...streams.values()],
    forgetStreams(keys: readonly string[]): void {
      for (const key of keys) streams.delete(key);
    },
  };
}

function groupsAmong(others: { readonly all: () => readonly Entry[] }): Map<string, Origins> {
  const counts = new Map<string, Origins>();
  for (const entry of others.all()) {
    const { group } = entry.doc;
    counts.set(group, added(counts.get(group) ?? {}, { [groupOriginOf(entry)]: 1 }));
  }
  return counts;
}

function added(a: Readonly<Origins>, b: Readonly<Origins> = {}): Origins {
  const sum: Origins = {};
  for (const origin of new Set([...Object.keys(a), ...Object.keys(b)])) {
    const count = (a[origin] ?? 0) + (b[origin] ?? 0);
    if (count > 0) sum[origin] = count;
  }
  return sum;
}

const groupText = (name: string, origins: Origins): string =>
  JSON.stringify({ name, count: Object.values(origins).reduce((a, b) => a + b, 0), origins });

/** Members of an object as text, page by page; those whose value is null are left out. */
function members(): (page: readonly (readonly [string, unknown])[]) => string {
  let separator = '';
  return page => {
    const texts = page
      .filter(([, value]) => value !== null)
      .map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`);
    if (texts.length === 0) return '';
    const text = separator + texts.join();
    separator = ',';
    return text;
  };
}
