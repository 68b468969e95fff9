import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfig } from '../config.js';
import { openPlatform, type Platform } from '../main.js';

const silent = { info() {}, warn() {}, error() {} };

/** Hands over a platform on an empty temporary folder, which is gone afterwards. */
export async function withBarePlatform<T>(use: (platform: Platform) => Promise<T> | T): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'presage-tools-'));
  const config = readConfig({ DATA_DIR: folder });
  const platform = await openPlatform({ config, log: silent, running: ['api'], owner: 'tools' });
  try {
    return await use(platform);
  } finally {
    await platform.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}
