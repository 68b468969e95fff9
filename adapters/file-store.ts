import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { FileMissing, type FileStore } from '../commands/ports/file-store.js';

/** Where files lie that every process reads. */
export type SharedFiles = {
  upload(name: string, path: string): Promise<void>;
  /** False where there is none of this name. */
  download(name: string, path: string): Promise<boolean>;
  remove(name: string): Promise<void>;
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
});

/** The folder holds copies, for as long as somebody works on them. */
const sharedStore = (folder: string, shared: SharedFiles): FileStore => ({
  async put(name, path) {
    await shared.upload(name, path);
    await rm(path, { force: true });
  },
  async use(name, work) {
    await mkdir(folder, { recursive: true, mode: 0o700 });
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

/** What was written survives the loss of power. */
async function synced(path: string): Promise<void> {
  const file = await open(path);
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}
