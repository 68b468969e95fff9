import { Rejected } from '../rejected.js';

export const alertNotFound = (): Rejected => new Rejected('missing', 'not_found', 'Alert not found');

export const instanceNotFound = (): Rejected =>
  new Rejected('missing', 'not_found', 'Instance of the alert not found');

export const instanceOver = (): Rejected =>
  new Rejected('conflict', 'invalid_state', 'The instance is resolved already', { state: 'resolved' });

/** An analyst changes their own rules alone. */
export const notAuthor = (): Rejected =>
  new Rejected('forbidden', 'not_owner', 'As an analyst you change the alerts that you made');
