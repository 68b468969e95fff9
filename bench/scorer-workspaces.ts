import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Labelled } from './scorer-set.js';

// Workspaces that the relevance of events is measured on: what each is about, in the parts that the product
// knows of one, and texts of its own.

export type Workspace = {
  readonly about: string;
  readonly terms: readonly string[];
  readonly streams: readonly string[];
  readonly signals: readonly string[];
  readonly goals: readonly { readonly name: string; readonly target: string }[];
  readonly texts: readonly string[];
};

/** Those of recipe/data/workspaces.json: nothing was trained on them or chosen by them. */
export const writtenWorkspaces = (folder: string): Workspace[] =>
  JSON.parse(readFileSync(join(folder, 'recipe/data/workspaces.json'), 'utf8')) as Workspace[];

type Described = { readonly description: string; readonly phrases: string[]; readonly texts: string[] };
/** The six of recipe/data/profiles.json: a description, and phrases that are mostly names of quantities. */
export const describedWorkspaces = (folder: string): Workspace[] =>
  (
    JSON.parse(readFileSync(join(folder, 'recipe/data/profiles.json'), 'utf8')) as { workspaces: Described[] }
  ).workspaces.map(({ description, phrases, texts }) => ({
    ...{ about: description, terms: [description], streams: [], signals: phrases, goals: [], texts },
  }));

const SIGNALS = 8;
const GOALS = 2;

/**
 * One for each domain of the labelled texts: its terms are the words of the guide, its stream is called as
 * the domain is, its signals are the targets most named in texts of other parts, the first two also goals.
 */
export function domainWorkspaces(folder: string, rows: readonly Labelled[], part: string): Workspace[] {
  const lines = readFileSync(join(folder, 'data/GUIDE.md'), 'utf8').split('\n');
  return lines
    .filter(line => line.startsWith('| `'))
    .map(line => line.split('|').map(cell => cell.trim().replaceAll('`', '')))
    .map(([, domain = '', about = '']) => {
      const own = rows.filter(row => row.domain === domain);
      const targets = mostNamed(own.filter(row => row.part === 'train'));
      return {
        about: domain,
        terms: about.split(/,\s*/),
        streams: [domain],
        signals: targets.map(target => target.replaceAll(' ', '_')),
        goals: targets.slice(0, GOALS).map(target => ({ name: target, target })),
        texts: own.filter(row => row.part === part).map(({ text }) => text),
      };
    });
}

function mostNamed(rows: readonly Labelled[]): string[] {
  const counts = new Map<string, number>();
  for (const { target } of rows.flatMap(({ targets }) => targets))
    counts.set(target, (counts.get(target) ?? 0) + 1);
  const order = ([a, m]: [string, number], [b, n]: [string, number]) => n - m || (a < b ? -1 : 1);
  return [...counts]
    .sort(order)
    .slice(0, SIGNALS)
    .map(([target]) => target);
}
