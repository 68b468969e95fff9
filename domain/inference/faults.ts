import { Rejected } from '../rejected.js';

/** One thing wrong with a request, as the 422 body lists it. */
export type Fault = {
  readonly loc: readonly (string | number)[];
  readonly msg: string;
  readonly type: string;
  readonly input?: unknown;
};

/** The 422 of a body in which this is wrong. */
export const faulty = (loc: readonly (string | number)[], type: string, msg: string): Rejected =>
  new Rejected('unprocessable', 'validation_error', '1 field is not valid', {
    detail: [{ loc: ['body', ...loc], msg, type } satisfies Fault],
  });
