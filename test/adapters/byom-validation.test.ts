import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tmpdir } from 'node:os';
import * as assert from 'uvu/assert';
import { byomValidation } from '../../adapters/byom/validate.js';
import { bytes, initializer, message, node, tensorInfo, text, whole } from '../onnx-bytes.js';
import { Cancelled } from '../../domain/maths/compute.js';
import { given, HORIZON, LOOKBACK, product, signatureOf, weights, written } from '../byom-files.js';
import { BOUNDS, validations } from '../byom-validations.js';
import { temporaryFolder } from '../platform.js';
import { suite } from '../suite.js';

const EXACT = { ...signatureOf(), normalization: 'none' } as const;

suite('validation of models in a process of their own', test => {
  const folder = temporaryFolder();
  test.after(() => folder.remove());
  const { found, refused } = validations(folder.path);

  test('a ridge regression and a random forest of scikit-learn pass all checks', async () => {
    const { as, checks, runtime, sample } = await found(given('ridge.onnx'));
    assert.equal([as, checks.map(({ status }) => status)], ['validated', Array(11).fill('passed')]);
    assert.match(runtime!, /^onnxruntime-node 1\./);
    assert.equal([sample!.input.length, sample!.output.length], [LOOKBACK, HORIZON]);
    // skl2onnx says [batch, 1] of a forest with several outputs
    const forest = await found(given('forest.onnx'));
    const odd = forest.checks.filter(({ status }) => status !== 'passed');
    assert.equal(
      [forest.as, odd.map(({ name, status }) => [name, status])],
      ['validated', [['signature_matches', 'warning']]],
    );
  });

  test('on rows of a segment it is compared with the seasonal naive forecast', async () => {
    const values = Float64Array.from({ length: 300 }, (_, i) => 1_000 + 200 * ((i * 7) % 12));
    const series = { values, period: 12, source: 'segment seg_1' };
    const { as, checks } = await found(given('ridge.onnx'), { series });
    assert.is(as, 'validated');
    assert.equal(
      checks.filter(({ status }) => status !== 'passed').map(({ name, status }) => [name, status]),
      [['beats_naive', 'warning']],
    );
    assert.match(checks.find(({ name }) => name === 'forward_pass')!.message, /segment seg_1/);
  });

  test('linear models become networks that give their sums', async () => {
    const coefficients = Array.from({ length: HORIZON }, (_, h) =>
      Array.from({ length: LOOKBACK }, (_each, i) => (i === LOOKBACK - 12 + h ? 1 : 0)),
    );
    const model = { coefficients, intercepts: Array(HORIZON).fill(0.5) };
    const values = Float64Array.from({ length: 100 }, (_, i) => i % 12);
    const asked = {
      format: 'linear_json',
      signature: EXACT,
      series: { values, period: 12, source: 'x' },
    } as const;
    const { as, sample } = await found(Buffer.from(JSON.stringify(model)), asked);
    assert.is(as, 'validated');
    const last = values.subarray(-12, -12 + HORIZON);
    assert.equal(
      sample!.output,
      [...last].map(value => value + 0.5),
    );
    const short = { ...model, coefficients: coefficients.slice(1) };
    await refused('format_parses', /an intercept for each/, Buffer.from(JSON.stringify(short)), asked);
    const fewer = { coefficients: short.coefficients, intercepts: Array(HORIZON - 1).fill(0) };
    await refused('output_shape', /gives \[1, 5\]/, Buffer.from(JSON.stringify(fewer)), asked);
    await refused('format_parses', /no JSON/, Buffer.from('{'), asked);
    await refused('format_parses', /must have required property/, Buffer.from('{}'), asked);
  });

  test('what no runtime is here for is unsupported, and says which', async () => {
    for (const [format, runtime] of [
      ['torchscript', /libtorch/],
      ['tf_savedmodel_zip', /TensorFlow/],
    ] as const) {
      const { as, checks, network } = await found(Buffer.from('PK\u0003\u0004rest'), { format });
      assert.equal([as, network], ['unsupported', null]);
      assert.match(checks.at(-1)!.message, runtime);
      await refused('format_parses', /no zip/, Buffer.from('garbage'), { format });
    }
  });

  test('garbage, empty and cut files are refused', async () => {
    const whole = given('ridge.onnx');
    for (const content of [
      Buffer.from(''),
      Buffer.from('garbage'),
      Buffer.alloc(1_000),
      whole.subarray(0, 500),
    ])
      await refused('format_parses', /./, content);
    await refused('checksum', /sha256/, whole, { sha256: 'ab'.repeat(32) });
  });

  test('numbers in other files, and sizes that lie, are refused before anything runs', async () => {
    const place = (location: string) =>
      message(
        5,
        whole(1, 4),
        whole(2, 1),
        text(8, 'w'),
        message(13, text(1, 'location'), text(2, location)),
        whole(14, 1),
      );
    for (const location of ['../../etc/passwd', '/etc/passwd', 'weights.bin'])
      await refused('format_parses', /another file/, written({ nodes: [product], more: [place(location)] }));
    const lies = (dims: readonly number[]) =>
      message(5, ...dims.map(dim => whole(1, dim)), whole(2, 1), text(8, 'w'), bytes(9, Buffer.alloc(16)));
    for (const dims of [[5], [1e9, 1e9], [-4], [3]])
      await refused('format_parses', /tensor 'w'/, written({ nodes: [product], more: [lies(dims)] }));
    const long = Buffer.concat([Buffer.from([0x3a, 0xff, 0xff, 0xff, 0xff, 0x0f]), Buffer.alloc(10)]);
    await refused('format_parses', /longer than what holds it/, long);
  });

  test('a file that the runtime would read in another form than ONNX is refused', async () => {
    const marked = Buffer.concat([text(2, 'a\0ORTM'), given('ridge.onnx')]);
    assert.is(marked.toString('latin1', 4, 8), 'ORTM');
    await refused('format_parses', /in the form of ONNX Runtime/, marked);
    const passed = await found(Buffer.concat([text(2, 'a\0onnx'), given('ridge.onnx')]));
    assert.is(passed.as, 'validated', JSON.stringify(passed.checks));
  });

  test('what a check says is short, however long the names in the file are', async () => {
    const names = Array.from({ length: 50 }, (_, i) => `${'x'.repeat(4_000)}${i}`);
    const opsets = { '': 17, ...Object.fromEntries(names.map(name => [name, 1])) };
    const { checks } = await found(written({ nodes: [product], more: [weights()], opsets }));
    const parsed = checks.find(({ name }) => name === 'format_parses')!;
    assert.is(parsed.status, 'passed', parsed.message);
    checks.forEach(({ message: said }) => assert.ok(said.length <= 500, `${said.length} characters`));
  });

  test('operators of others, random ones, loops and sizes out of values are refused', async () => {
    const custom = node('Evil', ['series'], ['variable'], [], 'com.example');
    await refused(
      'no_forbidden_ops',
      /com\.example/,
      written({ nodes: [custom], opsets: { '': 17, 'com.example': 1 } }),
    );
    const random = node('RandomNormalLike', ['series'], ['variable']);
    await refused('no_forbidden_ops', /RandomNormalLike/, written({ nodes: [random] }));
    const size = [
      node('Cast', ['series'], ['wide'], [message(5, text(1, 'to'), whole(3, 7), whole(20, 2))]),
      node('ConstantOfShape', ['wide'], ['variable']),
    ];
    await refused('no_forbidden_ops', /ConstantOfShape/, written({ nodes: size }));
    const body = message(5, text(1, 'body'), message(6, product), whole(20, 5));
    await refused(
      'no_forbidden_ops',
      /Loop/,
      written({ nodes: [node('Loop', ['', ''], ['variable'], [body])] }),
    );
    const deep = (levels: number): Buffer =>
      levels === 0
        ? product
        : node('If', ['c'], ['variable'], [message(5, text(1, 'then_branch'), message(6, deep(levels - 1)))]);
    await refused('format_parses', /graphs inside of graphs/, written({ nodes: [deep(12)] }));
  });

  test('another signature than that of the file is refused, and says what the file has', async () => {
    const ridge = given('ridge.onnx');
    const other = signatureOf({ inputs: [{ name: 'x', dtype: 'float32', shape: ['batch', LOOKBACK] }] });
    await refused('signature_matches', /no input 'x', but 'series'/, ridge, { signature: other });
    const wide = signatureOf({ inputs: [{ name: 'series', dtype: 'float64', shape: ['batch', LOOKBACK] }] });
    await refused('signature_matches', /no tensor of float64/, ridge, { signature: wide });
    const longer = signatureOf({
      inputs: [{ name: 'series', dtype: 'float32', shape: ['batch', 48] }],
      lookback: 48,
    });
    await refused('signature_matches', /is \[\?, 24\] in the file/, ridge, { signature: longer });
    const more = signatureOf({
      outputs: [{ name: 'variable', dtype: 'float32', shape: ['batch', 7] }],
      horizon: 7,
    });
    await refused('output_shape', /gives \[1, 6\]/, ridge, { signature: more });
    const second = written({ nodes: [product], more: [weights(), tensorInfo(11, 'second', [null, 1])] });
    await refused('signature_matches', /takes one input/, second);
  });

  test('a constant model, and one that gives NaN, are refused', async () => {
    await refused('sensitivity', /whatever/, written({ nodes: [product], more: [weights(0)] }));
    const nan = [
      node('MatMul', ['series', 'w'], ['p']),
      node('Sub', ['p', 'p'], ['z']),
      node('Div', ['z', 'z'], ['variable']),
    ];
    await refused('finite_values', /NaN/, written({ nodes: nan, more: [weights()] }));
  });

  test('one that takes all memory, and one that takes too long, end their process alone', async () => {
    const dims = (name: string, values: readonly number[]): Buffer =>
      message(
        5,
        whole(1, values.length),
        whole(2, 7),
        text(8, name),
        bytes(9, new Uint8Array(BigInt64Array.from(values, BigInt).buffer)),
      );
    const large = [
      node('Expand', ['series', 'size'], ['large']),
      node('ReduceMax', ['large'], ['most'], [message(5, text(1, 'keepdims'), whole(3, 0), whole(20, 2))]),
      node('MatMul', ['series', 'w'], ['p']),
      node('Add', ['p', 'most'], ['variable']),
    ];
    const more = [weights(), dims('size', [100_000, 10_000, 24])];
    await refused('forward_pass', /more than 700 MB|more memory/, written({ nodes: large, more }));
    const many = Array.from({ length: 400 }, (_, i) => node('MatMul', [`m${i}`, 'square'], [`m${i + 1}`]));
    const n = 2_000;
    const slow = [
      node('Expand', ['series', 'grown'], ['tall']),
      node('MatMul', ['tall', 'first'], ['m0']),
      ...many,
      node('ReduceMean', ['m400'], ['mean'], [message(5, text(1, 'keepdims'), whole(3, 0), whole(20, 2))]),
      node('MatMul', ['series', 'w'], ['p']),
      node('Add', ['p', 'mean'], ['variable']),
    ];
    const squares = [
      initializer('square', [n, n], new Float32Array(n * n).fill(1 / n)),
      initializer('first', [LOOKBACK, n], new Float32Array(LOOKBACK * n).fill(0.1)),
      dims('grown', [n, LOOKBACK]),
      weights(),
    ];
    await refused(
      'forward_pass',
      /longer than 5 s/,
      written({ nodes: slow, more: squares }),
      {},
      { withinMs: 5_000 },
    );
  });

  test('it ends with whoever asked for it, and leaves nothing behind', async () => {
    const path = join(folder.path, 'given-up');
    writeFileSync(path, given('ridge.onnx'));
    const ending = new AbortController();
    const asked = { format: 'onnx', sha256: '', signature: signatureOf(), series: null } as const;
    const ended = byomValidation(BOUNDS)(path, asked, ending.signal, async each => each);
    ending.abort();
    await ended.then(
      () => assert.unreachable(),
      (error: unknown) => assert.instance(error, Cancelled),
    );
    assert.ok(existsSync(path));
    assert.equal(
      readdirSync(tmpdir()).filter(name => name.startsWith(`presage-byom-${process.pid}-`)),
      [],
    );
  });
});
