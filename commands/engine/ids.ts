import { randomBytes } from 'node:crypto';
import { idIn } from '../../domain/cell.js';

/** An id of one kind of thing: `usr_`, `org_`, ... and 80 random bits. */
export const newId = (prefix: string): string => prefix + randomText();

/** The same with the code of the cell that it is made in. */
export const newIdIn = (cell: string, prefix: string): string => idIn(cell, prefix, randomText());

/** 80 random bits in base 36. */
export const randomText = (): string =>
  BigInt(`0x${randomBytes(10).toString('hex')}`)
    .toString(36)
    .padStart(16, '0');
