import { randomUUID } from 'node:crypto';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Artifact, Servable } from '../../domain/trainings/facts.js';
import type { ModelFiles } from '../../commands/model-files.js';
import type { FileStore } from '../../commands/ports/file-store.js';
import type { TrainingFiles } from '../../commands/trainings/files.js';
import type { KeepMade, Made } from '../../commands/trainings/work.js';

type Deps = {
  readonly files: TrainingFiles;
  readonly modelFiles: Pick<ModelFiles, 'bring' | 'keep' | 'folder'>;
  readonly artifacts: Pick<FileStore, 'put'>;
};

/** The name of a file to be downloaded, by its content. */
export const artifactFile = (sha256: string): string => `artifact-${sha256}`;

/** Keeps what a training made; names are hashes, so it may be done again. */
export const keeping =
  (deps: Deps): KeepMade =>
  async (trainingId, made) => {
    const { files } = deps;
    const { score, baselineScore, metrics, warnings, comparison } = made;
    return {
      ...{ score, baselineScore, metrics, warnings, comparison },
      report: await files.put(trainingId, made.report),
      points: await files.put(trainingId, made.points),
      servable: await servableOf(deps, trainingId, made),
      artifact: await artifactOf(deps, made),
    };
  };

async function servableOf(
  { files, modelFiles }: Deps,
  trainingId: string,
  { served, model, graph }: Made,
): Promise<Servable | null> {
  if (!served) return null;
  const brought = graph && (await withFile(modelFiles.folder, graph, path => modelFiles.bring(path)));
  if (brought) await modelFiles.keep(brought.sha256);
  return {
    ...served,
    model: model && (await files.put(trainingId, model)),
    graph: brought?.sha256 ?? null,
  };
}

async function artifactOf({ artifacts, modelFiles }: Deps, { download }: Made): Promise<Artifact | null> {
  if (!download) return null;
  const { format, bytes, sha256 } = download;
  await withFile(modelFiles.folder, bytes, path => artifacts.put(artifactFile(sha256), path));
  return { format, sizeBytes: bytes.length, sha256 };
}

/** Lends bytes as a file on the disk of the stores. */
async function withFile<T>(
  folder: string,
  bytes: Uint8Array,
  work: (path: string) => Promise<T>,
): Promise<T> {
  await mkdir(folder, { recursive: true });
  const path = join(folder, `${randomUUID()}.part`);
  try {
    await writeFile(path, bytes, { mode: 0o600 });
    return await work(path);
  } finally {
    await rm(path, { force: true });
  }
}
