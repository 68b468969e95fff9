#!/usr/bin/env node
// Starts one of other people's servers on a free port of 127.0.0.1, for the tests:
//
//   node test/servers/server.mjs KIND               prints its address and runs until it is ended
//   node test/servers/server.mjs KIND COMMAND ...   runs a command that is told it, and ends as that ends
//
// The kinds are in kinds.mjs. The data lives in a temporary folder and goes at the end.
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import { kinds } from './kinds.mjs';

const [name, ...command] = process.argv.slice(2);
const kind = kinds[name];
if (!kind) {
  console.error(`usage: server.mjs ${Object.keys(kinds).join('|')} [COMMAND ...]`);
  process.exit(2);
}

const seconds = since => `${((Date.now() - since) / 1000).toFixed(1)} s`;
const signals = ['SIGINT', 'SIGTERM'];
const built = join(tmpdir(), 'presage-test-servers');
const data = mkdtempSync(join(tmpdir(), `presage-${name}-`));
let child = null;
let code = 1;
try {
  const building = Date.now();
  mkdirSync(built, { recursive: true });
  kind.build(built);
  console.error(`${name}: built in ${seconds(building)}`);
  const starting = Date.now();
  const server = await kind.begin(built, data);
  ({ child } = server);
  const url = await Promise.race([server.url, endOf(child)]);
  console.error(`${name}: listens after ${seconds(starting)}`);
  code = command.length > 0 ? await runWith(url) : await serve(url);
} catch (error) {
  console.error(`${name}: ${error.message}`);
} finally {
  const ended = child && new Promise(resolve => child.once('exit', resolve));
  if (child?.exitCode === null && child.signalCode === null && child.kill()) await ended;
  rmSync(data, { recursive: true, force: true });
}
process.exitCode = code;

function endOf(server) {
  return new Promise((_, reject) => {
    server.once('error', reject);
    server.once('exit', status => reject(new Error(`it ended with ${status} before it listened`)));
  });
}

function serve(url) {
  console.log(url);
  return new Promise(resolve => {
    for (const signal of signals) process.once(signal, () => resolve(0));
    child.once('exit', () => resolve(1));
  });
}

function runWith(url) {
  const [program, ...args] = command;
  const env = { ...process.env, [kind.variable]: url };
  const running = spawn(program, args, { stdio: 'inherit', env });
  for (const signal of signals) process.on(signal, () => running.kill(signal));
  return new Promise((resolve, reject) => {
    running.once('error', reject);
    running.once('exit', (status, signal) => resolve(status ?? 128 + constants.signals[signal]));
  });
}
