import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { structureOf } from '../../adapters/byom/onnx-structure.js';
import { Malformed } from '../../adapters/byom/proto-file.js';
import { fittingOf } from '../../domain/byom/fitting.js';
import { forbiddenIn } from '../../domain/byom/operators.js';
import { given, signatureOf } from '../byom-files.js';
import { temporaryFolder } from '../platform.js';
import { randomOf, seedFrom, type Random } from '../random.js';
import { suite } from '../suite.js';

const ROUNDS = Number(process.env['BYOM_FUZZ_ROUNDS'] ?? 2_000);
const FILES = ['ridge.onnx', 'forest.onnx', 'lstm.onnx'];

/** Bytes flipped, numbers made large, parts cut, doubled and moved. */
function mutated(file: Buffer, random: Random): Buffer {
  let bytes = Buffer.from(file);
  for (let times = 1 + random.below(6); times > 0; times--) {
    const at = random.below(bytes.length || 1);
    const until = Math.min(bytes.length, at + 1 + random.below(64));
    const kind = random.below(6);
    if (kind === 0) bytes[at] = random.below(256);
    else if (kind === 1) bytes[at] = 255;
    else if (kind === 2) bytes = Buffer.concat([bytes.subarray(0, at), bytes.subarray(until)]);
    else if (kind === 3) bytes = Buffer.concat([bytes.subarray(0, until), bytes.subarray(at)]);
    else if (kind === 4) bytes = bytes.subarray(0, at);
    else
      bytes = Buffer.concat([
        bytes.subarray(0, at),
        Buffer.alloc(1 + random.below(9), 255),
        bytes.subarray(at),
      ]);
  }
  return bytes;
}

suite('mutated models', test => {
  const folder = temporaryFolder();
  test.after(() => folder.remove());

  test(`${ROUNDS} of them are read or refused by name, within bounds`, () => {
    const random = randomOf(seedFrom('BYOM_FUZZ_SEED'));
    const path = join(folder.path, 'model.onnx');
    const originals = FILES.map(given);
    let read = 0;
    for (let round = 0; round < ROUNDS; round++) {
      writeFileSync(path, mutated(random.pick(originals), random));
      try {
        const structure = structureOf(path);
        assert.ok(Array.isArray(forbiddenIn(structure)));
        assert.ok(fittingOf(signatureOf(), structure));
        read++;
      } catch (error) {
        if (!(error instanceof Malformed)) throw error;
        assert.ok(error.message.length < 10_000);
      }
    }
    rmSync(path);
    // Mutations reach what is behind the first bytes, and most are seen
    assert.ok(read > 0 && read < ROUNDS, String(read));
  });
});
