import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import * as assert from 'uvu/assert';
import { fileStore } from '../../adapters/file-store.js';
import { opened } from '../../adapters/sending.js';
import { DOWNLOAD_S, downloads } from '../../commands/downloads.js';
import { withoutSecrets } from '../../commands/ports/without-secrets.js';
import type { Rejected } from '../../domain/rejected.js';
import { temporaryFolder } from '../platform.js';
import { suite } from '../suite.js';

const secret = new Uint8Array(32).fill(1);
const of = { path: '/v1/training/trn_1/artifact', sha256: 'a'.repeat(64) };

suite('links to files', test => {
  let now = 1_000_000;
  const links = downloads([secret], () => now);
  const given = (link: string) => {
    const query = new URLSearchParams(link.split('?')[1]);
    const of = (name: string): string => query.get(name)!;
    return { expires: of('expires'), sha256: of('sha256'), signature: of('signature') };
  };
  const code = (path: string, signed: ReturnType<typeof given>): string => {
    try {
      links.check(path, signed);
      return 'good';
    } catch (error) {
      return (error as Rejected).code;
    }
  };

  test('stand in no line of the log with their signature', () => {
    const link = links.link(of);
    const line = withoutSecrets(JSON.stringify({ err: `GET ${link} failed`, path: link }));
    assert.not.ok(line.includes(given(link).signature), line);
  });

  test('are good for an hour, to the second', () => {
    now = 1_000_000;
    const signed = given(links.link(of));
    now += DOWNLOAD_S * 1_000 - 1;
    assert.is(code(of.path, signed), 'good');
    now += 1;
    assert.is(code(of.path, signed), 'download_expired');
  });

  test('are good for nothing but what they were made for', () => {
    now = 1_000_000;
    const signed = given(links.link(of));
    assert.is(code('/v1/training/trn_2/artifact', signed), 'invalid_signature');
    for (const changed of [
      { expires: String(Number(signed.expires) + 1) },
      { sha256: 'b'.repeat(64) },
      { signature: signed.signature.replace(/.$/, last => (last === '0' ? '1' : '0')) },
      { signature: `${signed.signature}x` },
      { signature: `${signed.signature}zz` },
      { signature: signed.signature.toUpperCase() },
      { signature: '' },
      { signature: 'nonsense' },
      { expires: '' },
    ])
      assert.is(code(of.path, { ...signed, ...changed }), 'invalid_signature', JSON.stringify(changed));
  });

  test('made with an older secret stay good, those of another platform do not', () => {
    now = 1_000_000;
    const other = new Uint8Array(32).fill(2);
    const signed = given(links.link(of));
    downloads([other, secret], () => now).check(of.path, signed);
    assert.throws(() => downloads([other], () => now).check(of.path, signed), /changed/);
  });
});

suite('files that are sent', test => {
  const folder = temporaryFolder();
  const store = fileStore(join(folder.path, 'files'), null);
  const sha256 = createHash('sha256').update('a model').digest('hex');
  test.after(() => folder.remove());

  test('are what they were when they were kept', async () => {
    const path = join(folder.path, 'part');
    writeFileSync(path, 'a model');
    await store.put('one', path);
    assert.is(await text(await opened(store, 'one', sha256)), 'a model');
  });

  test('that are damaged or gone are not sent', async () => {
    writeFileSync(join(folder.path, 'files', 'one'), 'b model');
    for (const name of ['one', 'two'])
      await opened(store, name, sha256).then(
        () => assert.unreachable(),
        (error: unknown) => assert.is((error as Rejected).code, 'file_not_kept'),
      );
  });
});
