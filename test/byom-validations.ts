import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { byomValidation, type Bounds } from '../adapters/byom/validate.js';
import type { ByomAsked, ByomFound } from '../commands/byom/validating.js';
import type { Check } from '../domain/byom/report.js';
import { signatureOf } from './byom-files.js';

export const BOUNDS: Bounds = { memoryMb: 700, withinMs: 120_000 };

/** Validates files that it writes into a folder. */
export function validations(folder: string) {
  let count = 0;

  async function found(
    content: Uint8Array,
    asked: Partial<ByomAsked> = {},
    bounds: Partial<Bounds> = {},
  ): Promise<ByomFound> {
    const path = join(folder, `model-${count++}`);
    writeFileSync(path, content);
    const sha256 = createHash('sha256').update(content).digest('hex');
    const whole = { format: 'onnx', sha256, signature: signatureOf(), series: null, ...asked } as const;
    const validate = byomValidation({ ...BOUNDS, ...bounds });
    return validate(path, whole, new AbortController().signal, async each => each);
  }
  const failed = ({ checks, as }: ByomFound): Check => {
    assert.is(as, 'rejected');
    const wrong = checks.filter(({ status }) => status === 'failed');
    assert.is(wrong.length, 1, JSON.stringify(checks));
    return wrong[0]!;
  };
  const refused = async (
    check: Check['name'],
    said: RegExp,
    ...args: Parameters<typeof found>
  ): Promise<void> => {
    const { name, message } = failed(await found(...args));
    assert.equal([name, said.test(message)], [check, true], message);
  };
  return { found, refused };
}
