import * as assert from 'uvu/assert';
import { collectionName, type Projection } from '../projections/engine/projection.js';
import { identityProjection } from '../projections/identity/projection.js';
import { startPlatform, temporaryFolder, until } from './platform.js';
import { suite } from './suite.js';

type Changeable = { version: number; carries?: readonly number[]; on: Record<string, unknown> };

/**
 * The program of the release after: its identity projection has another version, and cannot take facts about
 * tokens before it is let. Answers the way to let it.
 */
function nextRelease(carries: readonly number[]): { readonly allow: () => void; readonly back: () => void } {
  const identity = identityProjection as unknown as Changeable;
  const { version, on, carries: said } = identity;
  const before = version;
  const evolve = on['ApiTokenIssued'] as Projection['on'][string];
  let allowed = false;
  identity.version = before + 1;
  identity.carries = carries;
  identity.on = {
    ...on,
    ApiTokenIssued: (...args: Parameters<NonNullable<typeof evolve>>) => {
      if (!allowed) throw new Error('not yet');
      return evolve!(...args);
    },
  };
  return {
    allow() {
      allowed = true;
    },
    back() {
      Object.assign(identity, { version: before, on, carries: said });
    },
  };
}

const collectionsOf = (p: Projection): string[] =>
  Object.keys(p.collections).map(name => collectionName(p, name, 0));

suite('the platform of the next release, with another version of a projection', test => {
  const PUBLIC = { PUBLIC_PROBE: 'true', VISIBLE_WITHIN_MS: '100' };

  test('no token is refused for being unknown while it is built: 503, and /ready says so', async () => {
    const folder = temporaryFolder();
    const first = await startPlatform(folder.path);
    const earlier = collectionsOf(identityProjection);
    await first.stop();
    const { allow, back } = nextRelease([]);
    try {
      const next = await startPlatform(folder.path, { installed: first.installed, env: PUBLIC });
      const refused = await next.call('GET', '/v1/user/me');
      assert.is(refused.status, 503);
      assert.is(refused.headers.get('retry-after'), '5');
      assert.match(refused.json.error.message, /being built \(identity 0 %\)/);
      const unready = await next.call('GET', '/ready');
      assert.equal([unready.status, unready.json.checks.projections], [503, 'first build: identity 0 %']);
      assert.is((await next.call('GET', '/health')).status, 200);
      allow();
      const seen = new Set<number>();
      await until(async () => {
        const { status } = await next.call('GET', '/v1/user/me');
        seen.add(status);
        return status === 200;
      }, 'an answer');
      assert.equal([...seen].sort(), [200, 503]);
      await until(async () => {
        const there = await next.platform.stores.models.collections();
        return earlier.every(name => !there.includes(name));
      }, 'the end of the earlier version');
      await next.stop();
      const again = await startPlatform(folder.path, { installed: first.installed, env: PUBLIC });
      assert.is((await again.call('GET', '/v1/user/me')).status, 200);
      await again.stop();
    } finally {
      back();
      folder.remove();
    }
  });

  test('killed while it was built, it goes on serving what the version before holds', async () => {
    const folder = temporaryFolder();
    const first = await startPlatform(folder.path);
    await first.stop();
    const { allow, back } = nextRelease([identityProjection.version]);
    try {
      for (let start = 0; start < 2; start++) {
        const next = await startPlatform(folder.path, { installed: first.installed, env: PUBLIC });
        assert.is((await next.call('GET', '/v1/user/me')).status, 200);
        assert.is((await next.call('GET', '/ready')).status, 200);
        const renamed = await next.call('POST', '/v1/user/update-profile', {
          body: { name: `name ${start}` },
        });
        assert.is(renamed.status, 200, renamed.text);
        assert.is((await next.call('GET', '/v1/user/me')).json.data.name, `name ${start}`);
        if (start === 1) {
          allow();
          await until(
            async () => next.platform.serving(identityProjection) === identityProjection,
            'the new version',
          );
          assert.is((await next.call('GET', '/v1/user/me')).json.data.name, 'name 1');
        }
        await next.stop();
      }
    } finally {
      back();
      folder.remove();
    }
  });
});
