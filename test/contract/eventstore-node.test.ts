import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import * as assert from 'uvu/assert';
import { cases } from '../eventstore-node/cases/all.js';
import { suite } from '../suite.js';

type Answers = Record<string, unknown>;

const RECORDED = new URL('../../../test/eventstore-node/recorded/', import.meta.url);
const LANE = fileURLToPath(new URL('../eventstore-node/cases/lane.js', import.meta.url));
const GENERATIONS = [
  ['23', '23.10.6.json'],
  ['24', '24.2.0.json'],
] as const;
const LANES = 6; // they mostly wait

/**
 * How many waiting calls start when others end is the doing of Node's HTTP/2: Node 20 starts all, on which
 * this was recorded.
 */
const OF_NODE_20 = 'subscribe/more_than_fit_on_a_connection';
const onNode20 = process.version.startsWith('v20.');
if (!onNode20) console.log(`skipped: ${OF_NODE_20}, which was recorded on Node 20`);

const runLane = async (generation: string, names: string[]): Promise<Answers> => {
  const { stdout } = await promisify(execFile)(process.execPath, [LANE, generation, ...names], {
    maxBuffer: 2 ** 26,
  });
  return JSON.parse(stdout) as Answers;
};

const runAll = async (generation: string, names: string[]): Promise<Answers> => {
  const lanes = Array.from({ length: LANES }, (_, lane) =>
    names.filter((_name, index) => index % LANES === lane),
  );
  return Object.assign({}, ...(await Promise.all(lanes.map(lane => runLane(generation, lane))))) as Answers;
};

const sameAnswer = (found: unknown, expected: unknown): boolean => {
  try {
    assert.equal(found, expected);
    return true;
  } catch {
    return false;
  }
};

suite('the test node answers as real nodes did', test => {
  for (const [generation, file] of GENERATIONS) {
    test(`every case recorded in ${file}`, async () => {
      const { answers } = JSON.parse(readFileSync(new URL(file, RECORDED), 'utf8')) as { answers: Answers };
      assert.equal(Object.keys(cases).sort(), Object.keys(answers).sort());
      const names = Object.keys(answers).filter(name => onNode20 || name !== OF_NODE_20);
      const found = await runAll(generation, names);
      const wrong = names.filter(name => !sameAnswer(found[name], answers[name]));
      assert.equal(
        wrong.map(name => [name, found[name]]),
        wrong.map(name => [name, answers[name]]),
      );
    });
  }
});
