import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { FORMULAS } from '../../domain/events/score-formulas.js';

type Manifest = {
  version: string;
  formulas: number;
  files: Record<string, { file: string; sha256: string }>;
};

/** The model's files, checked: bytes of the ONNX graph, [piece, log probability] by id. */
export type ModelFiles = { version: string; model: Uint8Array; vocabulary: [string, number][] };

export const defaultModelDir = (): string =>
  fileURLToPath(new URL('../../../models/event-scorer/', import.meta.url));

const ROLES = ['model', 'vocabulary'] as const;

/**
 * Reads the model folder and checks every file against the manifest, and the manifest against this code.
 * @throws Error that names the file and what to do, when something is missing or differs
 */
export const readModelFiles = (dir: string): ModelFiles => {
  const manifest = JSON.parse(read(dir, 'manifest.json').toString()) as Manifest;
  const [model, vocabulary] = ROLES.map(role => checked(dir, manifest, role)) as [Buffer, Buffer];
  checkVersion(dir, manifest);
  return {
    version: manifest.version,
    model,
    vocabulary: JSON.parse(vocabulary.toString()) as [string, number][],
  };
};

const refuse = (dir: string, what: string): never => {
  throw new Error(
    `The event scorer in ${dir} cannot be used: ${what}. `
      + 'Restore the folder, or make it again with recipe/make.sh',
  );
};

const read = (dir: string, file: string): Buffer => {
  try {
    return readFileSync(join(dir, file));
  } catch (error) {
    return refuse(dir, `${file}: ${(error as Error).message}`);
  }
};

const checked = (dir: string, { files }: Manifest, role: string): Buffer => {
  const entry = files[role] ?? refuse(dir, `the manifest has no ${role}`);
  const bytes = read(dir, entry.file);
  const found = createHash('sha256').update(bytes).digest('hex');
  return found === entry.sha256
    ? bytes
    : refuse(dir, `${entry.file} has sha256 ${found}, the manifest says ${entry.sha256}`);
};

/**
 * The version stands for the files and the formulas; one that does not fit them would mark scores with a
 * false name.
 */
const checkVersion = (dir: string, { version, formulas, files }: Manifest): void => {
  if (formulas !== FORMULAS)
    refuse(dir, `it was made for formulas ${formulas}, this program has ${FORMULAS}`);
  const lines = [...ROLES.map(role => `${role} ${files[role]?.sha256}`), `formulas ${formulas}`];
  const expected = `es-${createHash('sha256').update(lines.join('\n')).digest('hex').slice(0, 12)}`;
  if (version !== expected) refuse(dir, `the manifest says version ${version}, its files make ${expected}`);
};
