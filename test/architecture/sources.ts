import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

// The sources as they lie on the disk, and what each of them reaches. Files are named as seen from the top:
// `api/edge/row.ts`.

const root = findRoot(dirname(fileURLToPath(import.meta.url)));

/** The TypeScript files of a folder and all below it; of a folder that is not there none. */
export function sourcesIn(folder: string): string[] {
  if (!existsSync(join(root, folder))) return [];
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter(file => file.endsWith('.ts'))
    .map(file => join(folder, file));
}

/** The TypeScript files at the top. */
export const sourcesAtTop = (): string[] => readdirSync(root).filter(file => file.endsWith('.ts'));

export const textOf = (file: string): string => readFileSync(join(root, file), 'utf8');

/** The lines of a file; the end of the last one makes no further. */
export const linesOf = (file: string): string[] => textOf(file).replace(/\n$/, '').split('\n');

export const withoutComments = (file: string): string =>
  textOf(file)
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/\/\/.*$/gm, '');

/** Ways to reach another file: an import or export, one when it is needed, and the script of a worker. */
const REACHES = [
  /\bfrom '(\.[^']+)'/g,
  /\bimport '(\.[^']+)'/g,
  /\bimport\(\s*'(\.[^']+)'/g,
  /\bnew URL\(\s*'(\.[^']+\.js)',\s*import\.meta\.url/g,
];

/** The files of ours that a file reaches, in whichever way. */
export function reachedBy(file: string): string[] {
  const text = withoutComments(file);
  const paths = REACHES.flatMap(way => Array.from(text.matchAll(way), ([, path]) => path!));
  return paths.map(path => join(dirname(file), path).replace(/\.js$/, '.ts'));
}

/** The top folder of a file; for a file at the top its name: `config`. */
export const roomOf = (file: string): string => file.split('/')[0]!.replace(/\.ts$/, '');

/** The part of its room that a file belongs to: a folder or a single file. */
export const partOf = (file: string): string => file.split('/')[1]!.replace(/\.ts$/, '');

function findRoot(folder: string): string {
  return existsSync(join(folder, 'package.json')) ? folder : findRoot(dirname(folder));
}
