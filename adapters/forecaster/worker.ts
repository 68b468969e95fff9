import { constants } from 'node:os';
import { stepBack } from '../threads/priority.js';
import { serve } from '../threads/serve.js';
import type { Portion, PortionDone } from './portion.js';
import { openService } from './service.js';

await serve<Portion, PortionDone>(data => {
  stepBack(constants.priority.PRIORITY_BELOW_NORMAL);
  return Promise.resolve(openService((data as { dir: string }).dir));
});
