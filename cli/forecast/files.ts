import { readFileSync } from 'node:fs';
import { basename, extname } from 'node:path';
import { codes, Failure } from '../exit.js';

/** The name of a file without folder and ending, for what is made of it. */
export const fileName = (file: string): string => (file === '-' ? 'stdin' : basename(file, extname(file)));

function bytesOf(file: string): Buffer {
  try {
    return readFileSync(file === '-' ? 0 : file);
  } catch (error) {
    const fault = faults[(error as NodeJS.ErrnoException).code ?? ''];
    throw fault === undefined ? error : new Failure(`${file} ${fault}`, codes.usage);
  }
}

const faults: Readonly<Record<string, string>> = {
  ENOENT: 'is not there',
  EISDIR: 'is a folder',
  EACCES: 'may not be read by this user',
};

/** The text of a file; `-`: of stdin. @throws Failure that says why it cannot be read */
export function textIn(file: string): string {
  const bytes = bytesOf(file);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new Failure(`${file} is not text in UTF-8`, codes.usage);
  }
}
