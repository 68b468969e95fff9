import { readFileSync } from 'node:fs';
import { InferenceSession } from 'onnxruntime-node';
import type { ModelCheck } from '../../commands/model-files.js';
import { levelsOf } from '../../domain/models/graph.js';
import { openSession, type Session } from '../forecaster/session.js';
import { SESSION_OPTIONS } from '../onnx.js';
import type { Task } from './validate.js';

/** A process of its own: looks at one model and says what it found, a line for each check. */

const { path, manifest } = JSON.parse(process.argv[2]!) as Task;
const { caps, graph } = manifest;
const levels = levelsOf(manifest).length;

/** Runs a check; what it throws is what is wrong. False where it failed. */
async function check(name: string, work: () => Promise<string> | string): Promise<boolean> {
  const began = performance.now();
  const say = (status: ModelCheck['status'], message: string): void => {
    const found: ModelCheck = { name, status, message, tookMs: Math.round(performance.now() - began) };
    process.stdout.write(`${JSON.stringify(found)}\n`);
  };
  try {
    say('passed', await work());
    return true;
  } catch (error) {
    say('failed', (error as Error).message.slice(0, 500));
    return false;
  }
}

/** Around a level, with a season of 12 steps. */
const wave = (length: number, level: number, size: number): Float64Array =>
  Float64Array.from({ length }, (_, i) => level + size * Math.sin((2 * Math.PI * i) / 12));

const pass = async (session: Session, values: Float64Array, horizon: number): Promise<Float64Array> => {
  const { quantiles } = await session.run({ values, period: 12 }, horizon);
  if (quantiles?.length !== horizon * levels)
    throw new Error(
      `${horizon} steps with ${levels} levels are ${horizon * levels} numbers, not ${quantiles?.length}`,
    );
  const wrong = quantiles.findIndex(value => !Number.isFinite(value));
  if (wrong >= 0) throw new Error(`number ${wrong} of a forecast of ${values.length} values is not finite`);
  return quantiles;
};

const LEVEL = 1_000;
const SIZE = 10;
const { context, horizon } = caps;
const usual = wave(Math.min(context, 512), LEVEL, SIZE);
const bytes = readFileSync(path);
const session = { open: null as Session | null };

const opens = await check('opens', async () => {
  const opened = await InferenceSession.create(bytes, SESSION_OPTIONS);
  const [inputs, outputs] = graph
    ? [[graph.input.name], [graph.output.name]]
    : [['context', 'period', 'horizon'], ['quantiles']];
  if (graph && opened.inputNames.length > 1)
    throw new Error(`it takes ${opened.inputNames.join(', ')}; a model takes one input, the series`);
  for (const name of inputs)
    if (!opened.inputNames.includes(name))
      throw new Error(`it has no input '${name}', but ${opened.inputNames.join(', ')}`);
  for (const name of outputs)
    if (!opened.outputNames.includes(name))
      throw new Error(`it has no output '${name}', but ${opened.outputNames.join(', ')}`);
  await opened.release();
  session.open = await openSession({ bytes, manifest });
  return `inputs ${inputs.join(', ')}; output ${outputs.join(', ')}`;
});

const passes = await (opens
  && check('forward_pass', async () => {
    const lengths = [...new Set([1, Math.min(context, 30), context])];
    for (const length of lengths)
      for (const steps of new Set([1, horizon])) await pass(session.open!, wave(length, LEVEL, SIZE), steps);
    return `${lengths.join(', ')} values, 1 and ${horizon} steps ahead, ${levels} levels`;
  }));

if (passes) {
  const again = (values: Float64Array) => pass(session.open!, values, horizon);
  await check('missing_values', async () => {
    await again(usual.map((value, i) => (i % 5 === 0 || i === usual.length - 1 ? NaN : value)));
    return 'a series with gaps has a forecast';
  });
  await check('repeatable', async () => {
    const [first, second] = [await again(usual), await again(usual)];
    if (!first.every((value, i) => value === second[i])) throw new Error('two passes differ');
    return 'two passes, the same bits';
  });
  await check('depends_on_the_series', async () => {
    const [first, second] = [await again(usual), await again(wave(usual.length, LEVEL * 2, SIZE))];
    if (first.every((value, i) => value === second[i]))
      throw new Error('it answers the same to another series');
    return 'another series, another forecast';
  });
  await check('in_the_units_of_the_series', async () => {
    const far = (await again(usual)).find(value => Math.abs(value - LEVEL) > LEVEL / 2);
    if (far !== undefined)
      throw new Error(
        `a series around ${LEVEL} is forecast at ${far}: the scaling, or the order of the output, is another`,
      );
    return `a series around ${LEVEL} goes on around ${LEVEL}`;
  });
}
await session.open?.close();
