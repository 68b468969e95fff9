import { NEWEST_FORM, NEWEST_OPERATORS } from '../../adapters/onnx.js';
import * as assert from 'uvu/assert';
import { bytes, message, node, text, whole } from '../onnx-bytes.js';
import { product, weights, written } from '../byom-files.js';
import { validations } from '../byom-validations.js';
import { temporaryFolder } from '../platform.js';
import { suite } from '../suite.js';

suite('what is said of models that the runtime does not run', test => {
  const folder = temporaryFolder();
  test.after(() => folder.remove());
  const { found, refused } = validations(folder.path);

  test('versions of ONNX that the runtime does not take are refused, the newest it takes pass', async () => {
    const of = (opsets: Readonly<Record<string, number>>): Buffer =>
      written({ nodes: [product], more: [weights()], opsets });
    for (const [domain, newest] of Object.entries(NEWEST_OPERATORS)) {
      const { as, checks } = await found(of({ '': 17, [domain]: newest }));
      assert.is(as, 'validated', JSON.stringify(checks));
      const said = new RegExp(`^it is of opset ${newest + 1} of ai.onnx(.ml)?; 1 to ${newest} are taken`);
      await refused('format_parses', said, of({ '': 17, [domain]: newest + 1 }));
    }
    await refused('format_parses', /opset 99 of ai\.onnx; 1 to 26/, of({ '': 99 }));
    await refused('format_parses', /opset 0/, of({ '': 0 }));
    const form = (version: number): Buffer => {
      const file = of({ '': 17 });
      file[1] = version;
      return file;
    };
    assert.is((await found(form(NEWEST_FORM))).as, 'validated');
    await refused('format_parses', /version 14 of ONNX; those up to 13/, form(NEWEST_FORM + 1));
  });

  test('what the runtime says of a file is told in plain words, without its insides and paths', async () => {
    const ints = (name: string, values: readonly number[]): Buffer =>
      message(5, whole(1, values.length), whole(2, 7), text(8, name), int64s(values));
    const int64s = (values: readonly number[]): Buffer =>
      bytes(9, new Uint8Array(BigInt64Array.from(values, BigInt).buffer));
    const fails = (said: RegExp, nodes: readonly Uint8Array[], more: readonly Uint8Array[] = []) =>
      refused('forward_pass', said, written({ nodes, more: [weights(), ...more] }));
    await fails(/^version 17 of the operators has no Evil$/, [node('Evil', ['series'], ['variable'])]);
    await fails(/^nothing in the file gives 'nope'/, [node('MatMul', ['series', 'nope'], ['variable'])]);
    await fails(/^two of its values are named 'variable'$/, [product, product]);
    await fails(/^its operator MatMul fails$/, [node('MatMul', ['w', 'series'], ['variable'])]);
    const plus = (part: string) => [
      node('ReduceMax', [part], ['most']),
      node('MatMul', ['series', 'w'], ['p']),
      node('Add', ['p', 'most'], ['variable']),
    ];
    const gather = [node('Gather', ['w', 'i'], ['part']), ...plus('part')];
    await fails(/^its operator Gather fails: indices element out of data bounds/, gather, [ints('i', [99])]);
    const huge = [node('ConstantOfShape', ['size'], ['part']), ...plus('part')];
    await fails(/^it asks for more memory than there is$/, huge, [ints('size', [1e5, 1e5, 10])]);
    const bent = [node('MatMul', ['series', 'w'], ['p']), node('Reshape', ['p', 'size'], ['variable'])];
    await fails(/^it cannot bring the shape \[1,6\] into \[1,7\]$/, bent, [ints('size', [1, 7])]);
  });
});
