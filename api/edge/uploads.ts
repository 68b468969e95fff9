import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Context } from 'koa';
import { notValid, overloaded } from './errors.js';
import type { UploadedFile } from './row.js';
import { FILE, MOST_PARTS, refusalOf, TEXT_LIMIT, wantsMultipart } from './upload-rules.js';
import { counting, onPart, type Sender } from './upload-stream.js';

/** Uploads at once of one user, and in all: each takes disk, and a file that is open. */
const PER_USER = 4;
const IN_ALL = 32;
const RETRY_AFTER_S = 1;
/** Nothing is being sent for so long. */
const LEFT_BEHIND_MS = 24 * 3_600_000;

/** The texts as they were sent, and the file; `remove` takes the file away where nobody took it. */
export type Received = {
  readonly fields: Readonly<Record<string, string>>;
  readonly file: UploadedFile;
  readonly remove: () => Promise<void>;
};

/** Bodies of `multipart/form-data` with one file, which goes to disk as it comes. */
export class Uploads {
  readonly #underWay = new Map<string, number>();
  #count = 0;
  #swept: Promise<void> | null = null;

  /** `folder`: each upload gets a folder of its own in it, until it was answered. */
  constructor(readonly folder: string) {}

  /**
   * Receives a file of at most `limit` bytes.
   * @throws Rejected 413, 415, 422, 408 when it comes too slowly, 503 when too many are under way
   */
  async receive(ctx: Context, limit: number, sender: Sender): Promise<Received> {
    wantsMultipart(ctx.req, limit);
    const { uid } = sender;
    const own = this.#underWay.get(uid) ?? 0;
    if (own >= PER_USER || this.#count >= IN_ALL)
      throw overloaded(RETRY_AFTER_S, 'Too many files are being sent; try again soon');
    this.#underWay.set(uid, own + 1);
    this.#count++;
    const folder = join(this.folder, randomUUID());
    const remove = () => rm(folder, { recursive: true, force: true });
    try {
      this.#swept ??= sweep(this.folder);
      await this.#swept;
      await mkdir(folder, { recursive: true, mode: 0o700 });
      return { ...(await this.#parse(ctx, folder, limit, sender)), remove };
    } catch (error) {
      await remove();
      throw error;
    } finally {
      this.#leave(uid);
    }
  }

  async #parse(ctx: Context, folder: string, limit: number, sender: Sender) {
    const counted = counting(ctx.req, limit, sender);
    // It reads what is counted instead of the request, and leaves its findings in an object of its own
    const reading = Object.create(ctx, {
      req: { value: counted.stream },
      request: { value: Object.create(ctx.request) },
    }) as Context & { readonly request: { body?: unknown; files?: unknown } };
    // Loaded with the first file: with all that it brings it would take a tenth of a start
    const { default: koaBody } = await import('koa-body');
    const parse = koaBody({
      ...{ multipart: true, json: false, urlencoded: false, text: false, patchNode: false },
      formidable: {
        ...{ uploadDir: folder, hashAlgorithm: 'sha256', allowEmptyFiles: true, minFileSize: 0 },
        ...{ maxFileSize: limit, maxTotalFileSize: limit, maxFieldsSize: TEXT_LIMIT, maxFields: MOST_PARTS },
        onPart: onPart(counted),
      },
    });
    try {
      await parse(reading, async () => undefined);
    } catch (error) {
      throw counted.refused() ?? refusalOf(error, limit);
    } finally {
      counted.end();
    }
    // A short body may have come whole before what is wrong in it was seen
    const refused = counted.refused();
    if (refused) throw refused;
    return { fields: fieldsOf(reading.request.body), file: fileOf(reading.request.files) };
  }

  #leave(uid: string): void {
    this.#count--;
    const left = this.#underWay.get(uid)! - 1;
    if (left === 0) this.#underWay.delete(uid);
    else this.#underWay.set(uid, left);
  }
}

function fieldsOf(body: unknown): Record<string, string> {
  const fields = Object.entries((body ?? {}) as Record<string, string | string[]>);
  const repeated = fields.filter(([, value]) => typeof value !== 'string').map(([name]) => name);
  if (repeated.length > 0)
    throw notValid(
      repeated.map(name => ({ loc: ['body', name], msg: 'must be given once', type: 'repeated' })),
    );
  return Object.fromEntries(fields) as Record<string, string>;
}

type Written = {
  readonly filepath: string;
  readonly originalFilename: string | null;
  readonly size: number;
  readonly hash?: unknown;
};

function fileOf(files: unknown): UploadedFile {
  const file = (files as Record<string, Written> | undefined)?.[FILE];
  if (!file) throw notValid([{ loc: ['body', FILE], msg: 'is required', type: 'missing' }]);
  const name = (file.originalFilename ?? '').toWellFormed().slice(0, 255);
  return { path: file.filepath, name, bytes: file.size, sha256: String(file.hash) };
}

/** What a process that was killed left behind. */
async function sweep(folder: string): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  for (const name of names) {
    const path = join(folder, name);
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Infinity }));
    if (mtimeMs < Date.now() - LEFT_BEHIND_MS) await rm(path, { recursive: true, force: true });
  }
}
