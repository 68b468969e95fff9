#!/usr/bin/env node
// Starts a server that speaks MongoDB's protocol on a free port of 127.0.0.1, for the tests:
//
//   node test/servers/mongodb.mjs ferretdb|java                  prints its address and runs until it is ended
//   node test/servers/mongodb.mjs ferretdb|java COMMAND ...      runs a command with MONGODB_URL set, and ends as that ends
//
// `ferretdb` is FerretDB 1.24.2 with its SQLite backend (needs Go), `java` is mongo-java-server 1.47.0 (needs
// Java 17 and Maven). Both are fetched by name from their package registries on first use. The data lives in
// a temporary folder and goes at the end.
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = name => fileURLToPath(new URL(name, import.meta.url));
const built = join(tmpdir(), 'presage-test-servers');

/** For each server: how it is built, and the command that runs it on a data folder. */
const servers = {
  ferretdb: {
    build: ['go', ['build', '-C', here('ferretdb'), '-o', join(built, 'ferretdb'), '.']],
    run: data => [join(built, 'ferretdb'), [data, '127.0.0.1:0']],
  },
  java: {
    build: [
      'mvn',
      [
        '-q',
        '-B',
        '-f',
        here('mongo-java/pom.xml'),
        'dependency:copy-dependencies',
        `-DoutputDirectory=${join(built, 'java')}`,
      ],
    ],
    run: () => ['java', ['-cp', join(built, 'java', '*'), here('mongo-java/Server.java'), '0']],
  },
};

const [kind, ...command] = process.argv.slice(2);
const server = servers[kind];
if (!server) {
  console.error(`usage: mongodb.mjs ${Object.keys(servers).join('|')} [COMMAND ...]`);
  process.exit(2);
}

const seconds = since => `${((Date.now() - since) / 1000).toFixed(1)} s`;

function build([program, args]) {
  const started = Date.now();
  mkdirSync(built, { recursive: true });
  const { status, error } = spawnSync(program, args, { stdio: ['ignore', 'ignore', 'inherit'] });
  if (status !== 0)
    throw new Error(`${kind} could not be built: ${error?.message ?? `${program} ended with ${status}`}`);
  console.error(`${kind}: built in ${seconds(started)}`);
}

/** Resolves with the address, which the server prints first. */
const addressOf = child =>
  new Promise((resolve, reject) => {
    child.stdout.setEncoding('utf8').once('data', line => resolve(line.trim()));
    child.once('error', reject);
    child.once('exit', code => reject(new Error(`${kind} ended with ${code} before it listened`)));
  });

build(server.build);
const data = mkdtempSync(join(tmpdir(), `presage-${kind}-`));
const started = Date.now();
const child = spawn(...server.run(data), { stdio: ['ignore', 'pipe', 'inherit'] });
const signals = ['SIGINT', 'SIGTERM'];
let code = 1;
try {
  const url = await addressOf(child);
  console.error(`${kind}: listening on ${url} after ${seconds(started)}`);
  code = command.length > 0 ? await runWith(url) : await serve(url);
} catch (error) {
  console.error(error.message);
} finally {
  child.removeAllListeners('exit');
  const ended = new Promise(resolve => child.once('exit', resolve));
  if (child.exitCode === null && child.signalCode === null && child.kill()) await ended;
  rmSync(data, { recursive: true, force: true });
}
process.exitCode = code;

function serve(url) {
  console.log(url);
  return new Promise(resolve => {
    for (const signal of signals) process.once(signal, () => resolve(0));
    child.once('exit', () => resolve(1));
  });
}

function runWith(url) {
  const [program, ...args] = command;
  const running = spawn(program, args, { stdio: 'inherit', env: { ...process.env, MONGODB_URL: url } });
  for (const signal of signals) process.on(signal, () => running.kill(signal));
  return new Promise((resolve, reject) => {
    running.once('error', reject);
    running.once('exit', (status, signal) => resolve(status ?? 128 + constants.signals[signal]));
  });
}
