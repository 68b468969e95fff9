import { existsSync } from 'node:fs';
import { hostname } from 'node:os';
import type { Config } from '../config.js';
import { codes, Failure } from './exit.js';
import { baseUrl } from '../areas/address.js';

/** Whether one process alone can have these stores, or a part of them. */
export const embedded = ({ EVENTSTORE_URL, MONGODB_URL }: Config): boolean => !EVENTSTORE_URL || !MONGODB_URL;
/** How this process is called where others ask who holds what. */
export const ownerName = (command: string): string => `presage ${command} on ${hostname()}`;
/** Where the API of this configuration would be reached, for a command that runs without it. */
export const configuredBase = ({ HOST, PORT }: Config): string => baseUrl(HOST, PORT);
export const hasData = (config: Config): boolean => !embedded(config) || existsSync(config.DATA_DIR);

/** For commands that look at what is there: they make no data folder. */
export function needData(config: Config): void {
  if (hasData(config)) return;
  throw new Failure(
    `there is no data folder ${config.DATA_DIR}; set DATA_DIR, or make one with: presage serve`,
    codes.usage,
  );
}
