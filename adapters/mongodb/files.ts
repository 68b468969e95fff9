import { createReadStream, createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { GridFSBucket } from 'mongodb';
import type { SharedFiles } from '../models/model-files.js';
import type { Connection } from './client.js';

/** Files in GridFS, under names that tell their content. */
export function mongoFiles({ db, call }: Connection): SharedFiles {
  const bucket = new GridFSBucket(db, { bucketName: 'model_files' });
  const isThere = (name: string): Promise<boolean> => bucket.find({ filename: name }).hasNext();
  return {
    upload: (name, path) =>
      call(async () => {
        if (await isThere(name)) return;
        await pipeline(createReadStream(path), bucket.openUploadStream(name));
      }),
    download: (name, path) =>
      call(async () => {
        if (!(await isThere(name))) return false;
        await pipeline(bucket.openDownloadStreamByName(name), createWriteStream(path, { mode: 0o600 }));
        return true;
      }),
  };
}
