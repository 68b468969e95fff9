import { Rejected } from '../../rejected.js';

export const tooShort = (): Rejected =>
  new Rejected(
    'unprocessable',
    'insufficient_history',
    'The table is too short: before its first fold no window of a series has a step after it to learn from',
  );
