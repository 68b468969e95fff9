import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import {
  jsonBytes,
  pack,
  unpack,
  type CheckpointsFile,
  type FiledCheckpoint,
  type KeptBlock,
  type Manifest,
} from '../../commands/segments/tables.js';
import type { Checkpoint, Hashing, KeptCheckpoint } from '../../domain/segments/ports.js';
import type { Receipt } from '../../domain/segments/receipts.js';
import type { Recipe } from '../../domain/segments/recipe.js';

/** The job's shelf, where bytes lie under their SHA-256. */
export type Shelf = {
  readonly put: (bytes: Uint8Array) => Promise<string>;
  /** Null: it is lost. */
  readonly get: (sha256: string) => Promise<Uint8Array | null>;
  /** Whether it is there, and whole. */
  readonly has: (sha256: string) => Promise<boolean>;
};

/** What makes tables, beside packages: another text of it may make other bits. */
const PROGRAM = ['../../domain/', '../../commands/segments/', './'];

/**
 * What checkpoints stand on besides what is read: the recipe of the rows (normalisation and split say what is
 * made of rows, which stay raw), our program, and what it runs on, where functions such as sine, clocks of
 * time zones and the state of a hash may differ.
 */
export function groundOf(recipe: Recipe, unused: Hashing): string {
  const { normalization: _normalization, split: _split, ...ofRows } = recipe;
  const hash = createHash('sha256');
  hash.update(JSON.stringify([ofRows, process.versions, process.arch, programDigest()]));
  return hash.update(unused.save()).digest('hex');
}

let program: string | null = null;
function programDigest(): string {
  if (program !== null) return program;
  const hash = createHash('sha256');
  for (const folder of PROGRAM) {
    const path = fileURLToPath(new URL(folder, import.meta.url));
    const names = readdirSync(path, { recursive: true, encoding: 'utf8' }).sort();
    for (const name of names.filter(each => each.endsWith('.js')))
      hash.update(`${name}\n`).update(readFileSync(path + name));
  }
  program = hash.digest('hex');
  return program;
}

type Earlier = { readonly blocks: readonly KeptBlock[]; readonly checkpoints: readonly FiledCheckpoint[] };

/** What may be taken over from a table on the shelf; of blocks, those before the first that is damaged. */
export async function earlierOn(shelf: Shelf, before: string | null, ground: string): Promise<Earlier> {
  const nothing = { blocks: [], checkpoints: [] };
  const manifest = before && (await shelf.get(before));
  if (!manifest) return nothing;
  const { blocks, checkpoints: sha256 } = JSON.parse(Buffer.from(manifest).toString()) as Manifest;
  const file = sha256 && (await shelf.get(sha256));
  if (!file) return nothing;
  const kept = JSON.parse((await unpack(file)).toString()) as CheckpointsFile;
  if (kept.ground !== ground) return nothing;
  const furthest = kept.checkpoints.at(-1)?.block ?? 0;
  let whole = 0;
  while (whole < furthest && (await shelf.has(blocks[whole]!.sha256))) whole++;
  return {
    blocks: blocks.slice(0, whole),
    checkpoints: kept.checkpoints.filter(({ block }) => block <= whole),
  };
}

/** States may take this share of what the rows before them take. */
const SHARE = 1 / 4;

/**
 * Keeps checkpoints of a build with its table. Where windows look far back states are large: as many are
 * kept as make the table larger by a quarter.
 */
export class Checkpoints {
  readonly #kept: FiledCheckpoint[] = [];
  #bytes = 0;
  #rowBytes = 0;
  /** Of checkpoints that were left out since the last that was kept. */
  #receipts: Receipt[] = [];

  constructor(readonly shelf: Shelf) {}

  /** The table has so many columns; those of an earlier one up to a block stay. */
  begin(earlier: readonly FiledCheckpoint[], block: number, columns: number): void {
    this.#rowBytes = 8 * (columns + 1);
    this.#kept.push(...earlier.filter(each => each.block <= block));
    this.#bytes = this.#kept.reduce((sum, { bytes }) => sum + bytes, 0);
  }

  async take({ state, receipts, ...each }: Checkpoint): Promise<void> {
    this.#receipts.push(...receipts);
    if (this.#bytes + state.length > each.row * this.#rowBytes * SHARE) return;
    this.#bytes += state.length;
    this.#kept.push({
      ...each,
      receipts: this.#receipts.splice(0),
      bytes: state.length,
      state: await this.shelf.put(await pack(state)),
    });
  }

  /** As a build asks for it. */
  found({ state, bytes: _, ...each }: FiledCheckpoint): KeptCheckpoint {
    const fetched = async (): Promise<Uint8Array | null> => {
      const file = await this.shelf.get(state);
      return file && unpack(file);
    };
    return { ...each, state: fetched };
  }

  /** Answers the file of all of them; null: there are none. */
  async end(ground: string): Promise<string | null> {
    if (this.#kept.length === 0) return null;
    return this.shelf.put(await pack(jsonBytes({ ground, checkpoints: this.#kept })));
  }
}
