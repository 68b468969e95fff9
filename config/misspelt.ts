import { variables } from './variables.js';

/** A variable that is no setting, and the setting that was probably meant. */
export type Misspelt = { readonly name: string; readonly meant: string };

/**
 * The variables of an environment that look like settings: written otherwise (`DATADIR`, `presage_port`),
 * or, where the name is long enough to tell, one or two letters off. Short ones such as HOST are near to many
 * that others use: HOME, SHELL.
 */
export const misspelt = (env: Readonly<Record<string, unknown>>): Misspelt[] =>
  Object.keys(env)
    .filter(name => !(name in variables))
    .flatMap(name => {
      const meant = settings.find(setting => isNear(name, setting));
      return meant === undefined ? [] : [{ name, meant }];
    });

const settings = Object.keys(variables);
/** From this length on a name may be one letter off, and from the next on two. */
const TELLING = { one: 7, two: 10 };

function isNear(name: string, setting: string): boolean {
  const [written, meant] = [plain(name), plain(setting)];
  if (written === meant) return true;
  const shorter = Math.min(written.length, meant.length);
  if (shorter < TELLING.one) return false;
  return distance(written, meant) <= (shorter < TELLING.two ? 1 : 2);
}

/** Without what tells names of one program apart from those of others, and words from each other. */
const plain = (name: string): string =>
  name
    .toUpperCase()
    .replace(/^PRESAGE_/, '')
    .replaceAll(/[^A-Z0-9]/g, '');

/** How many letters must be put in, taken out, replaced or swapped with their neighbour. */
function distance(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > 2) return Infinity;
  const rows = [Array.from({ length: b.length + 1 }, (_, j) => j)];
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    const above = rows[i - 1]!;
    for (let j = 1; j <= b.length; j++) {
      const replaced = above[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swapped = isSwapped ? rows[i - 2]![j - 2]! + 1 : Infinity;
      row.push(Math.min(above[j]! + 1, row[j - 1]! + 1, replaced, swapped));
    }
    rows.push(row);
  }
  return rows[a.length]![b.length]!;
}
