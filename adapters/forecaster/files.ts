import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  FORECASTER_TASKS,
  type ForecasterCaps,
  type ForecasterTask,
} from '../../domain/maths/forecasting/forecaster.js';

import type { Graph } from '../../domain/models/graph.js';
import type { TrainedModel } from '../../domain/models/trained.js';

/**
 * What the runtime reads of a manifest `<slug>.json`; the rest of it (recipe, cost, evaluation) is for
 * people.
 */
export type Manifest = {
  readonly slug: string;
  readonly file: string;
  readonly sha256: string;
  readonly caps: ForecasterCaps;
  readonly tasks: readonly ForecasterTask[];
  readonly quantiles: readonly number[];
  /** How series go in and forecasts come out; absent: by `context`, `period` and `horizon`. */
  readonly graph?: Graph | null;
  /** Of a model that was trained here: how it is asked. */
  readonly trained?: TrainedModel | null;
};

/** `version`: the first 12 hex digits of the file's sha256. */
export type ModelFile = { readonly manifest: Manifest; readonly version: string; readonly bytes: Uint8Array };

/** The first-party family. */
export const defaultFamilyDir = (): string =>
  fileURLToPath(new URL('../../../models/presage/', import.meta.url));

/**
 * The slugs in a folder, each `<slug>.json` that says that it is the manifest of that slug, in the order of
 * the alphabet.
 */
export function slugsIn(dir: string): string[] {
  if (!existsSync(dir)) return [];
  return readdirSync(dir)
    .filter(file => file.endsWith('.json'))
    .map(file => file.slice(0, -'.json'.length))
    .filter(slug => parsed(dir, slug)['slug'] === slug)
    .sort();
}

/**
 * Reads a slug's manifest and model, and checks the one against the other; with a `sha256`, that it is still
 * this model.
 * @throws Error that names the file and what to do, when something is missing or differs
 */
export const readModelFile = (dir: string, slug: string, sha256?: string): ModelFile => {
  const manifest = manifestOf(dir, slug);
  // All that it is stands in the manifest
  if (manifest.trained?.hasGraph === false)
    return { manifest, version: manifest.sha256.slice(0, 12), bytes: new Uint8Array() };
  const bytes = read(dir, slug, manifest.file);
  const found = createHash('sha256').update(bytes).digest('hex');
  if (found !== manifest.sha256)
    refuse(dir, slug, `${manifest.file} has sha256 ${found}, the manifest says ${manifest.sha256}`);
  if (sha256 !== undefined && found !== sha256)
    refuse(dir, slug, 'another model has taken its place since it was opened: restart');
  return { manifest, version: found.slice(0, 12), bytes };
};

/** Where models of this family lie that others have taken the place of, each as `<sha256>.onnx`. */
const EARLIER = 'earlier';

/**
 * The file of a slug that adapters stand on: the one of today, or an earlier one.
 * @throws Error where it is neither
 */
export const readBackboneFile = (dir: string, slug: string, sha256: string): Uint8Array =>
  manifestOf(dir, slug).sha256 === sha256
    ? readModelFile(dir, slug, sha256).bytes
    : readByHash(join(dir, EARLIER), sha256);

/** The file of an imported model in the folder of these. @throws Error where it is not there as it was */
export const readByHash = (dir: string, sha256: string): Uint8Array => {
  const bytes = read(dir, sha256, `${sha256}.onnx`);
  if (createHash('sha256').update(bytes).digest('hex') !== sha256)
    refuse(dir, sha256, `${sha256}.onnx is another file`);
  return bytes;
};

const refuse = (dir: string, slug: string, what: string): never => {
  throw new Error(
    `The forecaster ${slug} in ${dir} cannot be used: ${what}. `
      + 'Restore the folder, or make the model again with its recipe',
  );
};

const read = (dir: string, slug: string, file: string): Buffer => {
  try {
    return readFileSync(join(dir, file));
  } catch (error) {
    return refuse(dir, slug, `${file}: ${(error as Error).message}`);
  }
};

const parsed = (dir: string, slug: string): Record<string, unknown> => {
  const text = read(dir, slug, `${slug}.json`).toString();
  try {
    return Object(JSON.parse(text)) as Record<string, unknown>;
  } catch {
    return refuse(dir, slug, `${slug}.json is no JSON`);
  }
};

const isCount = (x: unknown): boolean => Number.isSafeInteger(x) && (x as number) >= 1;
const isTask = (x: unknown): boolean => (FORECASTER_TASKS as readonly unknown[]).includes(x);

/** What each field must be. */
const FIELDS: Record<Exclude<keyof Manifest, 'graph' | 'trained'>, (value: unknown) => boolean> = {
  slug: value => typeof value === 'string',
  file: value => typeof value === 'string' && /^[\w.-]+\.onnx$/.test(value),
  sha256: value => typeof value === 'string' && /^[0-9a-f]{64}$/.test(value),
  caps: value => isCount(Object(value)['context']) && isCount(Object(value)['horizon']),
  tasks: value => Array.isArray(value) && value.length > 0 && value.every(isTask),
  quantiles: value =>
    Array.isArray(value)
    && value.length > 0
    && value.every((level, i) => typeof level === 'number' && level > (value[i - 1] ?? 0) && level < 1)
    && value.includes(0.5),
};

/**
 * What the manifest of a slug says; its model is not looked at.
 * @throws Error that names the file and what is wrong with it
 */
export const manifestOf = (dir: string, slug: string): Manifest => {
  const manifest = parsed(dir, slug);
  for (const [field, fits] of Object.entries(FIELDS))
    if (!fits(manifest[field])) refuse(dir, slug, `${slug}.json has no usable ${field}`);
  if (manifest['slug'] !== slug)
    refuse(dir, slug, `${slug}.json is the manifest of ${String(manifest['slug'])}`);
  return manifest as unknown as Manifest;
};
