import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { readConfig } from '../config.js';
import { codes, Failure } from './exit.js';
import type { ModelOptions, ShownImport, ShownModel } from './jobs/models.js';
import { columns, print } from './output.js';
import { needData } from './place.js';
import { render } from './run.js';

/** As people type it: the manifest is a file. */
export type TypedOptions =
  | Exclude<ModelOptions, { readonly what: 'import' }>
  | { readonly what: 'import'; readonly file: string; readonly manifest: string };

/** Does something with foundation models and shows what came of it. */
export async function model(options: TypedOptions, json: boolean): Promise<void> {
  const config = readConfig(process.env);
  needData(config);
  const result = (shown: unknown) =>
    print(json ? `${JSON.stringify(shown, null, 2)}\n` : textOf(options.what, shown));
  await render({ name: 'model', options: complete(options), config }, { result });
}

/** The platform that runs may have another working folder. */
const complete = (options: TypedOptions): ModelOptions =>
  options.what === 'import'
    ? { what: 'import', file: resolve(options.file), manifest: manifestIn(options.manifest) }
    : options;

function manifestIn(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as unknown;
  } catch (error) {
    throw new Failure(`the manifest ${file} cannot be read: ${(error as Error).message}`, codes.usage);
  }
}

function textOf(what: ModelOptions['what'], shown: unknown): string {
  if (what === 'list') return listText(shown as readonly ShownModel[]);
  if (what === 'import') return importText(shown as ShownImport);
  return linesOf(shown as object);
}

const linesOf = (shown: object): string =>
  Object.entries(shown)
    .map(([name, value]) => columns([18, 0], [name, String(value)]))
    .join('');

const CHECKS = [30, 10, 10];
const importText = ({ checks, ...shown }: ShownImport): string =>
  checks
    .map(({ name, status, tookMs, message }) => columns(CHECKS, [name, status, `${tookMs} ms`, message]))
    .join('') + linesOf(shown);

const MODELS = [30, 14, 11, 11, 14];
function listText(models: readonly ShownModel[]): string {
  const table = models.map(each =>
    columns(MODELS, [
      each.model,
      each.version,
      String(each.downloads),
      String(each.in_use_by),
      each.commercial_use ? 'yes' : 'no',
      stateOf(each),
    ]),
  );
  return (
    columns(MODELS, ['MODEL', 'VERSION', 'DOWNLOADS', 'IN USE BY', 'COMMERCIAL', 'STATE']) + table.join('')
  );
}

function stateOf({ deprecated, replacement }: ShownModel): string {
  if (!deprecated) return 'available';
  return replacement === null ? 'deprecated' : `deprecated: take ${replacement}`;
}
