import { hash, randomUUID } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ContentLost, ContentUnreadable, type Contents } from '../commands/ports/contents.js';

const NAME = /^[0-9a-f]{64}$/;
export const sha256Of = (bytes: Uint8Array): string => hash('sha256', bytes);

/** In a folder of this machine: a folder in it for each shelf. */
export function folderContents(folder: string): Contents {
  const on = (shelf: string): string => join(folder, shelf);

  async function write(shelf: string, sha256: string, bytes: Uint8Array): Promise<void> {
    await mkdir(on(shelf), { recursive: true });
    const part = join(on(shelf), `${randomUUID()}.part`);
    try {
      const file = await open(part, 'w', 0o600);
      try {
        await file.writeFile(bytes);
        await file.sync();
      } finally {
        await file.close();
      }
      await rename(part, join(on(shelf), sha256));
    } finally {
      await rm(part, { force: true });
    }
  }

  /** What was damaged is not there: to put it again mends it. */
  const isThere = async (shelf: string, sha256: string): Promise<boolean> => {
    const bytes = await readFile(join(on(shelf), sha256)).catch(ifMissing(null));
    return bytes !== null && sha256Of(bytes) === sha256;
  };

  return {
    async put(shelf, bytes) {
      const sha256 = sha256Of(bytes);
      if (await isThere(shelf, sha256)) return { sha256, isNew: false };
      await write(shelf, sha256, bytes);
      return { sha256, isNew: true };
    },
    async get(shelf, sha256) {
      const bytes = await readFile(join(on(shelf), sha256)).catch((error: NodeJS.ErrnoException) => {
        if (UNREADABLE.includes(error.code ?? '')) throw new ContentUnreadable(shelf, sha256);
        if (OTHER.includes(error.code ?? '')) return null;
        throw error;
      });
      if (bytes === null || sha256Of(bytes) !== sha256) throw new ContentLost(shelf, sha256);
      return bytes;
    },
    list: async shelf => (await readdir(on(shelf)).catch(ifMissing([]))).filter(name => NAME.test(name)),
    async remove(shelf, names) {
      for (const name of names) await rm(join(on(shelf), name), { force: true });
      const left = await readdir(on(shelf)).catch(ifMissing(null));
      if (left === null) return;
      // What a crash left half written
      const isEmpty = left.every(name => name.endsWith('.part'));
      if (isEmpty) await rm(on(shelf), { recursive: true, force: true });
    },
  };
}

/** Nothing is in its place, or something else. */
const OTHER = ['ENOENT', 'ENOTDIR', 'EISDIR', 'ELOOP'];
/** Its disk does not give it, or not to us. */
const UNREADABLE = ['EACCES', 'EPERM', 'EIO'];

const ifMissing =
  <T>(instead: T) =>
  (error: NodeJS.ErrnoException): T => {
    if (error.code === 'ENOENT') return instead;
    throw error;
  };
