import { createReadStream, createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { GridFSBucket } from 'mongodb';
import type { SharedFiles } from '../file-store.js';
import type { Connection } from './client.js';

/** Files in GridFS, in a bucket of its own, each written once under its name. */
export function mongoFiles({ db, call }: Connection, bucketName: string): SharedFiles {
  const bucket = new GridFSBucket(db, { bucketName });
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
    older: ms =>
      call(async () => {
        const found = bucket.find({ uploadDate: { $lt: new Date(Date.now() - ms) } });
        return [...new Set((await found.toArray()).map(({ filename }) => filename))];
      }),
    remove: name =>
      call(async () => {
        for await (const { _id } of bucket.find({ filename: name })) await bucket.delete(_id);
      }),
  };
}
