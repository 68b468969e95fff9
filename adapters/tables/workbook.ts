import { open as openZip, type Entry, type ZipFile } from 'yauzl';
import { misread, unreadable } from './limits.js';

/** Parts of a workbook, what they may unpack to in all, and how many times their size one may. */
const MOST_ENTRIES = 10_000;
const MOST_UNPACKED = 1_500_000_000;
const MOST_RATIO = 250;
/** A part this small is read whatever its ratio. */
const SMALL = 10_000_000;

/** The parts of a workbook by their names, unpacked as they are read. */
export type Workbook = {
  /** Null: there is no such part. */
  read(name: string): Promise<AsyncIterable<Buffer> | null>;
  close(): void;
};

/** @throws Rejected for what is no workbook, and for one that unpacks to far more than it should */
export async function openWorkbook(path: string): Promise<Workbook> {
  const zip = await opened(path);
  try {
    const entries = await entriesOf(zip);
    let unpacked = 0;
    return {
      async read(name) {
        const entry = entries.get(name);
        if (!entry) return null;
        unpacked += refuseBomb(entry, unpacked);
        return streamOf(zip, entry);
      },
      close: () => zip.close(),
    };
  } catch (error) {
    zip.close();
    throw faultOf(error);
  }
}

const opened = (path: string): Promise<ZipFile> =>
  new Promise((resolve, reject) => {
    openZip(path, { lazyEntries: true, autoClose: false }, (error, zip) =>
      error ? reject(faultOf(error)) : resolve(zip),
    );
  });

const entriesOf = (zip: ZipFile): Promise<Map<string, Entry>> =>
  new Promise((resolve, reject) => {
    const entries = new Map<string, Entry>();
    if (zip.entryCount > MOST_ENTRIES)
      return reject(unreadable('The workbook has too many parts', 'file_bomb'));
    zip.on('entry', (entry: Entry) => {
      entries.set(entry.fileName, entry);
      zip.readEntry();
    });
    zip.on('end', () => resolve(entries));
    zip.on('error', reject);
    zip.readEntry();
  });

/** The sizes that an entry names are held to while it is unpacked. Answers how large it becomes. */
function refuseBomb({ fileName, compressedSize, uncompressedSize }: Entry, before: number): number {
  const ratio = uncompressedSize / Math.max(1, compressedSize);
  if (before + uncompressedSize > MOST_UNPACKED)
    throw unreadable(`The workbook unpacks to more than ${MOST_UNPACKED} bytes`, 'file_bomb');
  if (uncompressedSize > SMALL && ratio > MOST_RATIO)
    throw unreadable(
      `${fileName} of the workbook unpacks to ${Math.round(ratio)} times its size`,
      'file_bomb',
    );
  return uncompressedSize;
}

const streamOf = (zip: ZipFile, entry: Entry): Promise<AsyncIterable<Buffer>> =>
  new Promise((resolve, reject) => {
    zip.openReadStream(entry, (error, stream) => (error ? reject(faultOf(error)) : resolve(checked(stream))));
  });

async function* checked(stream: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield* stream;
  } catch (error) {
    throw faultOf(error);
  }
}

const faultOf = (error: unknown): unknown =>
  error instanceof Error ? misread(error, 'The file is no xlsx workbook') : error;
