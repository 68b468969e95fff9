import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { finished, pipeline } from 'node:stream/promises';
import { FileMissing, type FileStore } from '../commands/ports/file-store.js';
import { Rejected } from '../domain/rejected.js';

/**
 * A file to be sent, once it was found to be what it was: it was read from end to end. @throws Rejected 410
 * where it is not there any more, or damaged
 */
export const opened = (files: Pick<FileStore, 'use'>, name: string, sha256: string): Promise<Readable> =>
  new Promise((resolve, reject) => {
    files
      .use(name, async path => {
        const hash = createHash('sha256');
        await pipeline(createReadStream(path), hash);
        if (hash.digest('hex') !== sha256) throw lost();
        const stream = createReadStream(path);
        resolve(stream);
        // A copy is lent for as long as it is read; whoever reads is told of faults
        await finished(stream).catch(() => undefined);
      })
      .catch((error: unknown) => reject(error instanceof FileMissing ? lost() : (error as Error)));
  });

const lost = (): Rejected =>
  new Rejected('gone', 'file_not_kept', 'The file is missing or damaged on the server; it is not sent');
