import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** About what one write of the embedded stores may need. */
const PROBE = new Uint8Array(64 * 1024);
export const PROBE_FILE = 'room.probe';

/**
 * Whether something can be written into a folder: `ok`, or why not. It writes, for what is free does not tell
 * of quotas, limits and disks that have become read-only.
 */
export async function roomWord(folder: string): Promise<string> {
  const file = join(folder, PROBE_FILE);
  try {
    await writeFile(file, PROBE, { mode: 0o600 });
    return 'ok';
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    return code === 'ENOSPC' ? 'the disk is full' : `nothing can be written: ${code ?? message}`;
  } finally {
    await rm(file, { force: true }).catch(() => undefined);
  }
}
