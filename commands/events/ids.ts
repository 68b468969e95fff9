import { hash } from 'node:crypto';
import { EARLIEST } from '../../domain/time.js';

/**
 * The same workspace, stream, time and text give the same id, so that a repeat lands on the same journal and
 * row. The time comes first in it, base 36, so that ids made in order are stored in order.
 */
export function eventIdOf(workspace: string, key: string, occurredAt: number, text: string): string {
  const content = hash('sha256', JSON.stringify([workspace, key, occurredAt, text]));
  return `evt_${(occurredAt - EARLIEST).toString(36).padStart(10, '0')}${content.slice(0, 20)}`;
}

/**
 * The id of an event that another system has given an id of its own. There is no time in it: when the same
 * event comes again it may tell another time, or none.
 */
export const foreignEventId = (workspace: string, sourceId: string, externalId: string): string =>
  `evt_${hash('sha256', JSON.stringify([workspace, 'source', sourceId, externalId])).slice(0, 30)}`;
