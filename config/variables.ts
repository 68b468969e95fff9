import type { FromSchema } from '../json-schema.js';
import { billing } from './billing.js';
import { byom } from './byom.js';
import { kept } from './kept.js';
import { limits } from './limits.js';
import { logging } from './logging.js';
import { messages } from './messages.js';
import { network } from './network.js';
import { serving } from './serving.js';
import { storage } from './storage.js';
import { training } from './training.js';

/** Every setting of the platform; docs/configuration.md is made from this table. */
export const variables = {
  ...messages,
  ...storage,
  ...network,
  ...logging,
  ...serving,
  ...training,
  ...billing,
  ...limits,
  ...kept,
  ...byom,
} as const;

export type Config = { readonly [K in keyof typeof variables]: FromSchema<(typeof variables)[K]['schema']> };
