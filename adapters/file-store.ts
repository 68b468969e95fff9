import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { DAY } from '../domain/time.js';
import { FileMissing, type FileStore } from '../commands/ports/file-store.js';

/** Where files lie that every process reads. */
export type SharedFiles = {
  upload(name: string, path: string): Promise<void>;
  /** False where there is none of this name. */
  download(name: string, path: string): Promise<boolean>;
  remove(name: string): Promise<void>;
  older(ms: number): Promise<string[]>;
  clean(ms: number): Promise<void>;
};

/** `shared`: null where one process alone has the stores; files lie in the folder itself then. */
export const fileStore = (folder: string, shared: SharedFiles | null): FileStore =>
  shared ? sharedStore(folder, shared) : folderStore(folder);

const folderStore = (folder: string): FileStore => ({
  async put(name, path) {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await synced(path);
    await rename(path, join(folder, name));
    await synced(folder);
  },
  async use(name, work) {
    const path = join(folder, name);
    if (!existsSync(path)) throw new FileMissing(path);
    return work(path);
  },
  remove: name => rm(join(folder, name), { force: true }),
  older: ms => olderIn(folder, ms),
  // A file is moved there whole
  clean: async () => undefined,
});

/** The folder holds copies, for as long as somebody works on them. */
const sharedStore = (folder: string, shared: SharedFiles): FileStore => ({
  older: shared.older,
  clean: shared.clean,
  async put(name, path) {
    await shared.upload(name, path);
    await rm(path, { force: true });
  },
  async use(name, work) {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    // What a process that was killed left behind
    for (const left of await olderIn(folder, DAY))
      if (left.endsWith('.copy')) await rm(join(folder, left), { force: true });
    const copy = join(folder, `${randomUUID()}.copy`);
    try {
      if (!(await shared.download(name, copy))) throw new FileMissing(name);
      return await work(copy);
    } finally {
      await rm(copy, { force: true });
    }
  },
  remove: name => shared.remove(name),
});

async function olderIn(folder: string, ms: number): Promise<string[]> {
  const names = await readdir(folder).catch(() => []);
  const ages = await Promise.all(
    names.map(async name => {
      const { mtimeMs } = await stat(join(folder, name)).catch(() => ({ mtimeMs: Infinity }));
      return Date.now() - mtimeMs;
    }),
  );
  return names.filter((_, i) => ages[i]! > ms);
}

/** What was written survives the loss of power. */
async function synced(path: string): Promise<void> {
  const file = await open(path);
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}
