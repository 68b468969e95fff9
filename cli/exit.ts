import { DamagedFile } from '../adapters/embedded/check.js';
import { FolderInUse } from '../adapters/embedded/lock.js';
import { CannotOpen } from '../adapters/sealing.js';
import { VaultShut } from '../adapters/vault/secrets.js';
import { WrongLog } from '../areas/same-log.js';
import { BadConfiguration } from '../config.js';
import { Rejected } from '../domain/rejected.js';

/** How `presage` ends. */
export const codes = { done: 0, fault: 1, usage: 2, inUse: 3, interrupted: 130 } as const;

export const codesHelp = `
Exit codes:
  0    done
  1    a fault; doctor: there is a problem; replay --verify: a document differs
  2    wrong use, or a wrong configuration
  3    in use: the port, or the data folder
  130  interrupted`;

/** An end with one clear line for people and an exit code. */
export class Failure extends Error {
  constructor(
    message: string,
    readonly code: number = codes.fault,
  ) {
    super(message);
  }
}

/** What to say about an error, and how to end: the stack only for faults of the program itself. */
export function failureOf(error: unknown): { readonly message: string; readonly code: number } {
  if (error instanceof Failure) return error;
  if (error instanceof BadConfiguration) return { message: error.message, code: codes.usage };
  if (error instanceof VaultShut) return { message: error.message, code: codes.usage };
  if (error instanceof CannotOpen) return { message: error.message, code: codes.usage };
  if (error instanceof DamagedFile) return { message: error.message, code: codes.usage };
  if (error instanceof WrongLog) return { message: error.message, code: codes.usage };
  if (error instanceof Rejected) return { message: error.message, code: codes.usage };
  if (error instanceof FolderInUse) return { message: error.message, code: codes.inUse };
  if (!(error instanceof Error)) return { message: String(error), code: codes.fault };
  const [hint, code] = system[codeOf(error)] ?? ['', codes.fault];
  const text = bugs.some(bug => error instanceof bug) ? error.stack! : messageOf(error);
  return { message: hint === '' ? text : `${text}\n${hint}`, code };
}

const bugs = [TypeError, ReferenceError, SyntaxError, RangeError];
const codeOf = ({ code, cause }: NodeJS.ErrnoException): string =>
  String(code ?? (cause as NodeJS.ErrnoException | undefined)?.code);

/** The message, and those of its causes that add to it. */
function messageOf(error: Error): string {
  const cause = error.cause instanceof Error ? messageOf(error.cause) : '';
  return cause === '' || error.message.includes(cause) ? error.message : `${error.message}: ${cause}`;
}

const system: Readonly<Record<string, readonly [hint: string, code: number]>> = {
  EADDRINUSE: [
    'another program listens there; set PORT to another port, or to 0 for a free one',
    codes.inUse,
  ],
  EADDRNOTAVAIL: ['HOST is no address of this machine', codes.usage],
  EACCES: ['this user may not; see who owns it', codes.fault],
  ENOSPC: ['the disk is full', codes.fault],
};
