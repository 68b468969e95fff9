import * as assert from 'uvu/assert';
import { csvHead, csvLines } from '../../../domain/segments/csv.js';
import { iso } from '../../../domain/time.js';
import { randomOf, seedFrom } from '../../random.js';
import { suite } from '../../suite.js';

const text = (bytes: Uint8Array): string => new TextDecoder('utf8', { fatal: true }).decode(bytes);
const blockOf = (entity: string | null, times: number[], ...columns: number[][]) => ({
  ...{ entity, row: 0, isAhead: false },
  times: Float64Array.from(times),
  columns: columns.map(column => Float64Array.from(column)),
});

suite('tables as CSV', test => {
  test('names and entities that hold commas, quotes or line feeds are quoted', () => {
    const names = ['a', 'b,c', 'say "so"', 'x\ny', 'São'].map(name => ({ name }));
    assert.is(text(csvHead(names, true)), 'ts,entity,a,"b,c","say ""so""","x\ny",São\n');
    assert.is(text(csvHead(names.slice(0, 1), false)), 'ts,a\n');
    const block = blockOf('São "P", 東京', [0], [1]);
    assert.is(text(csvLines(block)), '1970-01-01T00:00:00.000Z,"São ""P"", 東京",1\n');
  });

  test('what has no value is empty; rows of a block by themselves', () => {
    const block = blockOf(null, [0, 3_600_000], [1.5, NaN], [NaN, -0.1]);
    assert.is(text(csvLines(block)), '1970-01-01T00:00:00.000Z,1.5,\n1970-01-01T01:00:00.000Z,,-0.1\n');
    assert.is(text(csvLines(block, 1)), '1970-01-01T01:00:00.000Z,,-0.1\n');
    assert.is(text(csvLines(block, 0, 0)), '');
  });

  test('numbers read back to the same bits, the longest and any others', () => {
    const random = randomOf(seedFrom('CSV_SEED'));
    const bits = new DataView(new ArrayBuffer(8));
    const any = Array.from({ length: 20_000 }, () => {
      bits.setUint32(0, random.below(2 ** 32));
      bits.setUint32(4, random.below(2 ** 32));
      return bits.getFloat64(0);
    });
    const longest = [-0.0000012345678901234567, -1.2345678901234567e-308, 5e-324, -1.7976931348623157e308];
    const values = [...longest, 0, 1e21, 123456789012345680000, ...any].map(x =>
      Number.isFinite(x) ? x : NaN,
    );
    const times = values.map(() => -62_135_596_800_000);
    const lines = text(
      csvLines(
        blockOf(
          null,
          times,
          values,
          values.map(() => longest[0]!),
        ),
      ),
    );
    const read = lines.trimEnd().split('\n');
    assert.is(read.length, values.length);
    read.forEach((line, i) => {
      const [ts, value, long] = line.split(',');
      assert.equal([ts, long], [iso(times[i]!), String(longest[0])]);
      assert.ok(value === '' ? Number.isNaN(values[i]) : Object.is(Number(value), values[i]), value);
    });
  });
});
