import { buffer } from 'node:stream/consumers';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { GridFSBucket, MongoGridFSChunkError } from 'mongodb';
import { ContentLost, type Contents } from '../../commands/ports/contents.js';
import { sha256Of } from '../contents.js';
import type { Connection } from './client.js';

/** In GridFS, each under `<shelf>/<sha256>`. */
export function mongoContents({ db, call }: Connection, bucketName: string): Contents {
  const bucket = new GridFSBucket(db, { bucketName });
  const nameOf = (shelf: string, sha256: string): string => `${shelf}/${sha256}`;
  const read = async (name: string): Promise<Buffer | null> => {
    if (!(await bucket.find({ filename: name }).hasNext())) return null;
    return buffer(bucket.openDownloadStreamByName(name)).catch((error: unknown) => {
      // Some of it is gone: it is as good as not there
      if (error instanceof MongoGridFSChunkError) return null;
      throw error;
    });
  };
  return {
    put: (shelf, bytes) =>
      call(async () => {
        const sha256 = sha256Of(bytes);
        const name = nameOf(shelf, sha256);
        if (await bucket.find({ filename: name }).hasNext()) return { sha256, isNew: false };
        await pipeline(Readable.from([bytes]), bucket.openUploadStream(name));
        return { sha256, isNew: true };
      }),
    get: (shelf, sha256) =>
      call(async () => {
        const bytes = await read(nameOf(shelf, sha256));
        if (bytes === null || sha256Of(bytes) !== sha256) throw new ContentLost(shelf, sha256);
        return bytes;
      }),
    list: shelf =>
      call(async () => {
        const files = bucket.find({ filename: { $gte: `${shelf}/`, $lt: `${shelf}0` } });
        const names: string[] = [];
        for await (const { filename } of files) names.push(filename.slice(shelf.length + 1));
        return [...new Set(names)];
      }),
    remove: (shelf, names) =>
      call(async () => {
        const files = bucket.find({ filename: { $in: names.map(name => nameOf(shelf, name)) } });
        for await (const { _id } of files) await bucket.delete(_id);
      }),
  };
}
