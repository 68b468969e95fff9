import { createHash, randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream, existsSync } from 'node:fs';
import { mkdir, open, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Brought, ModelFiles } from '../../commands/model-files.js';
import { blueprintUidOf, type FoundationListing } from '../../domain/models/hosted.js';
import { Rejected } from '../../domain/rejected.js';
import type { SharedFiles } from '../file-store.js';
import { isResidualAdapter, readResiduals } from '../finetune/residual-file.js';
import type { Manifest } from '../forecaster/files.js';

type Wanted = Pick<FoundationListing, 'sha256' | 'family' | 'slug' | 'trained'>;

/** `shared`: null where one process alone has the stores. */
export function modelFiles(
  folder: string,
  shared: Pick<SharedFiles, 'upload' | 'download'> | null,
): ModelFiles {
  const pathOf = (sha256: string): string => join(folder, fileOf(sha256));
  const isThere = ({ sha256, trained }: FoundationListing): boolean =>
    trained?.hasGraph === false || existsSync(pathOf(sha256));
  const placed = new Map<string, Promise<void>>();

  async function bring(path: string): Promise<Brought> {
    await mkdir(folder, { recursive: true });
    const part = join(folder, `${randomUUID()}.part`);
    try {
      const { sha256, bytes } = await copied(path, part);
      const isNew = !existsSync(pathOf(sha256));
      await rename(part, pathOf(sha256));
      return { sha256, bytes, isNew, path: pathOf(sha256) };
    } finally {
      await rm(part, { force: true });
    }
  }

  async function have({ sha256, family, slug, trained }: Wanted): Promise<void> {
    if (trained?.hasGraph === false) return;
    const path = pathOf(sha256);
    if (existsSync(path) && (await hashOf(path).catch(() => null)) === sha256) return;
    const part = join(folder, `${randomUUID()}.part`);
    await mkdir(folder, { recursive: true });
    try {
      if (!(await shared?.download(fileOf(sha256), part)) || (await hashOf(part)) !== sha256)
        throw new Error(
          `${path}, the file of ${family}/${slug}, is missing or is not the one that was imported: `
            + 'put a backup back, or import the same file again',
        );
      await rename(part, path);
    } finally {
      await rm(part, { force: true });
    }
  }

  /** What an adapter over an imported model stands on must be here, too. */
  async function haveBackbone({ sha256 }: FoundationListing): Promise<void> {
    const bytes = await readFile(pathOf(sha256));
    if (isResidualAdapter(bytes)) await have(readResiduals(bytes).backbone);
  }

  async function placeNow(model: FoundationListing): Promise<void> {
    await have(model);
    if (model.family === 'adapter') await haveBackbone(model);
    // A model without a file may be the first that comes here
    await mkdir(folder, { recursive: true });
    const uid = blueprintUidOf(model);
    const part = join(folder, `${randomUUID()}.part`);
    await writeFile(part, JSON.stringify(manifestFor(model)));
    await rename(part, join(folder, `${uid}.json`));
  }

  return {
    ...{ folder, bring },
    keep: async sha256 => shared?.upload(fileOf(sha256), pathOf(sha256)),
    drop: sha256 => rm(pathOf(sha256), { force: true }),
    verify: have,
    async place(model) {
      // What stands in for it is no manifest
      if (model.lost !== undefined) throw new Error(model.lost);
      const slug = blueprintUidOf(model);
      const known = (isThere(model) && placed.get(slug)) || placeNow(model);
      placed.set(slug, known);
      try {
        await known;
      } catch (error) {
        placed.delete(slug);
        throw error;
      }
      return slug;
    },
  };
}

const fileOf = (sha256: string): string => `${sha256}.onnx`;

/** What the runtime reads of a model, under its id in the catalogue. */
const manifestFor = (model: FoundationListing): Manifest => ({
  slug: blueprintUidOf(model),
  file: fileOf(model.sha256),
  sha256: model.sha256,
  caps: { context: model.maxContext, horizon: model.maxHorizon },
  tasks: model.tasks,
  quantiles: model.quantiles,
  graph: model.graph,
  trained: model.trained ?? null,
});

async function copied(
  from: string,
  to: string,
): Promise<{ readonly sha256: string; readonly bytes: number }> {
  const hash = createHash('sha256');
  let bytes = 0;
  const counting = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      bytes += chunk.length;
      done(null, chunk);
    },
  });
  try {
    await pipeline(createReadStream(from), counting, createWriteStream(to, { mode: 0o600 }));
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code !== 'ENOENT' && code !== 'EISDIR' && code !== 'EACCES') throw error;
    throw new Rejected('missing', 'not_found', `the file cannot be read: ${message}`);
  }
  const file = await open(to);
  await file.sync();
  await file.close();
  return { sha256: hash.digest('hex'), bytes };
}

async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}
