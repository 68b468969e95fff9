import { createReadStream, createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { GridFSBucket, ObjectId } from 'mongodb';
import { SECOND } from '../../domain/time.js';
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
    /** The entry of a file comes after its chunks: chunks without one are of an upload that was cut short. */
    clean: ms =>
      call(async () => {
        const chunks = db.collection(`${bucketName}.chunks`);
        const before = ObjectId.createFromTime(Math.floor((Date.now() - ms) / SECOND));
        const begun = chunks.find({ files_id: { $lt: before }, n: 0 }, { projection: { files_id: 1 } });
        for await (const { files_id: _id } of begun)
          if (!(await bucket.find({ _id }).hasNext())) await chunks.deleteMany({ files_id: _id });
      }),
    remove: name =>
      call(async () => {
        for await (const { _id } of bucket.find({ filename: name })) await bucket.delete(_id);
      }),
  };
}
