import * as assert from 'uvu/assert';
import type { Looked } from '../../commands/ingestion/imports.js';
import { uploaded, type ImportStatus } from '../../domain/ingestion/imports/state.js';
import type { ImportDoc } from '../../projections/ingestion/import-documents.js';
import { importing } from '../../workers/importing.js';
import { until } from '../platform.js';
import { quiet } from '../projections/world.js';
import { suite } from '../suite.js';

const doc = (workspace: string, id: string, status: ImportStatus): ImportDoc => {
  const { hasFile, ...known } = uploaded({
    ...{ workspace, importId: id, file: 'a.csv', format: 'csv', bytes: 1, sha256: '', mapping: {}, by: 'u' },
  });
  const times = { created_at: 0, updated_at: 0, committed_at: null, finished_at: null };
  return { ...known, ...times, _id: id, workspace, status, has_file: hasFile, revision: 0 };
};

/** The worker over documents as they are given; work goes on until it is released. */
function world(docs: ImportDoc[], look: (id: string) => Promise<Looked>) {
  const underWay = new Map<string, () => void>();
  const running = importing({
    commands: {
      look: (_workspace, id) => look(id),
      giveUp: () => Promise.reject(new Error('nothing is given up')),
      cancel: () => Promise.reject(new Error('nothing is cancelled')),
      removeFile: () => Promise.reject(new Error('nothing is removed')),
      sweep: async () => undefined,
    },
    takeIn: async (_workspace, id, signal) => {
      await new Promise<void>(resolve => {
        underWay.set(id, resolve);
        signal.addEventListener('abort', () => resolve());
      });
      underWay.delete(id);
      return null;
    },
    queries: {
      one: async (_workspace, id) => (docs.find(({ _id }) => _id === id) ?? null) as never,
      inStatus: async (status, limit, offset) =>
        docs.filter(each => each.status === status).slice(offset, offset + limit) as never,
      untouchedSince: async () => [],
    },
    visible: async () => undefined,
    clock: () => 0,
    newId: () => 'c',
    log: quiet,
  });
  return { underWay, running, at: () => [...underWay.keys()].sort().join() };
}

suite('the order in which files are taken in', test => {
  test('one of a workspace at a time, and others need not wait behind what it sent', async () => {
    const many = Array.from({ length: 150 }, (_, i) =>
      doc('a', `a${String(i).padStart(3, '0')}`, 'committing'),
    );
    const docs = [...many, doc('b', 'b1', 'committing'), doc('b', 'b2', 'committing')];
    const { at, underWay, running } = world(docs, () => Promise.reject(new Error('nothing is looked at')));
    await until(async () => at() === 'a000,b1', 'one of each');
    docs.push(doc('c', 'c1', 'committing'), doc('d', 'd1', 'committing'));
    await until(async () => at() === 'a000,b1,c1', 'three at once');
    docs.shift();
    underWay.get('a000')!();
    // The next in order is of the same workspace
    await until(async () => at() === 'a001,b1,c1', 'the next');
    await running.stop();
    assert.is(at(), '');
  });

  test('files are looked at while others are taken in', async () => {
    const docs = ['a', 'b', 'c'].map(each => doc(each, `${each}1`, 'committing'));
    docs.push(doc('a', 'a2', 'uploaded'));
    const looked: string[] = [];
    const { at, running } = world(docs, async id => {
      looked.push(id);
      docs.pop();
      return { found: uploaded({} as never) as never, preview: null, position: null };
    });
    await until(async () => looked.join() === 'a2' && at() === 'a1,b1,c1', 'a look');
    await running.stop();
  });
});
