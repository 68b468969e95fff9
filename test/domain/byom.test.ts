import * as assert from 'uvu/assert';
import type { ByomCommand } from '../../domain/byom/commands.js';
import { byoms } from '../../domain/byom/decider.js';
import type { ByomFact } from '../../domain/byom/facts.js';
import { graphOf } from '../../domain/byom/signature.js';
import { CHECKS, type Check } from '../../domain/byom/report.js';
import { fold } from '../../domain/decider.js';
import { signatureOf } from '../byom-files.js';
import { given, stored } from '../spec.js';
import { suite } from '../suite.js';

const of = { workspace: 'wsp_w', byomId: 'byo_0123456789abcdef' };
const signature = signatureOf();
const network = { sha256: 'ab', bytes: 3, graph: graphOf(signature) };
const validationId = 'val_1';
const uploaded: ByomFact = {
  type: 'ByomUploaded',
  data: {
    ...of,
    name: 'Mine',
    format: 'onnx',
    file: 'm.onnx',
    bytes: 3,
    sha256: 'ab',
    signature,
    by: 'usr_a',
  },
};
const request = {
  type: 'RequestByomValidation',
  data: { ...of, validationId, segmentId: null, by: 'usr_a' },
} as const;
const requested: ByomFact = { type: 'ByomValidationRequested', data: request.data };
const start = { type: 'StartByomValidation', data: { ...of, validationId } } as const;
const started: ByomFact = { type: 'ByomValidationStarted', data: start.data };
const check = (status: Check['status']): Check => ({
  name: 'checksum',
  status,
  message: 'so it is',
  tookMs: 1,
});
const end = (
  as: 'validated' | 'rejected' | 'unsupported',
): Extract<ByomCommand, { type: 'EndByomValidation' }> => ({
  type: 'EndByomValidation',
  data: {
    ...of,
    ...{ validationId, as, sample: null, runtime: null },
    checks: [check(as === 'rejected' ? 'failed' : 'passed')],
    network: as === 'validated' ? network : null,
  },
});
const ended = (as: 'validated' | 'rejected' | 'unsupported'): ByomFact =>
  byoms.decide(end(as), fold(byoms, null, stored<ByomFact>(uploaded, requested)))[0]!;
const register = {
  type: 'RegisterByom',
  data: { ...of, name: null, visibility: 'private', tags: ['t'], by: 'usr_b' },
} as const;
const registered: ByomFact = {
  type: 'ByomRegistered',
  data: {
    ...of,
    ...{ uid: 'mdl_0123456789abcdef', name: 'Mine', visibility: 'private', tags: ['t'] },
    ...{ format: 'onnx', signature, network, by: 'usr_b' },
  },
};
const remove = (inUse: readonly string[] = [], seen: number | null = null) =>
  ({ type: 'DeleteByom', data: { ...of, by: 'usr_a', inUse, seen } }) as const;

suite("models of one's own, decided", test => {
  test('from the upload to the catalogue', () => {
    given(byoms)
      .when({ type: 'UploadByom', data: uploaded.data as never })
      .then(uploaded);
    given(byoms, uploaded).when(request).then(requested);
    given(byoms, uploaded, requested).when(start).then(started);
    given(byoms, uploaded, requested, ended('validated')).when(register).then(registered);
    const visibility = 'public';
    given(byoms, uploaded, requested, ended('validated'))
      .when({ ...register, data: { ...register.data, visibility } })
      .then({ ...registered, data: { ...registered.data, visibility, fileShared: true } });
  });

  test('every check is in the report, in order, and the first fault is its message', () => {
    const { data } = ended('rejected') as Extract<ByomFact, { type: 'ByomValidationEnded' }>;
    assert.equal(
      data.checks.map(({ name }) => name),
      [...CHECKS],
    );
    assert.equal(
      data.checks.slice(1).every(({ status }) => status === 'skipped'),
      true,
    );
    assert.equal([data.message, data.by, data.name], ['checksum: so it is', 'usr_a', 'Mine']);
  });

  test('validated anew is what was rejected or lacks a runtime, nothing else', () => {
    const again = { ...request, data: { ...request.data, validationId: 'val_2' } };
    for (const as of ['rejected', 'unsupported'] as const)
      given(byoms, uploaded, requested, ended(as))
        .when(again)
        .then({ ...requested, data: again.data } as ByomFact);
    for (const past of [
      [requested],
      [requested, ended('validated')],
      [requested, ended('validated'), registered],
    ])
      given(byoms, uploaded, ...past)
        .when(again)
        .thenRejected(/already/);
    given(byoms, uploaded, requested).when(request).thenNothing();
  });

  test('an end that comes late, or of an older validation, changes nothing', () => {
    const again: ByomFact = { ...requested, data: { ...request.data, validationId: 'val_2' } };
    given(byoms, uploaded, requested, ended('rejected'), again).when(end('validated')).thenNothing();
    given(byoms, uploaded, requested, ended('rejected')).when(end('validated')).thenNothing();
    given(byoms, uploaded, requested, ended('rejected'), again).when(start).thenNothing();
  });

  test('only what was validated is registered, once', () => {
    for (const past of [[], [requested], [requested, ended('rejected')]])
      given(byoms, uploaded, ...past)
        .when(register)
        .thenRejected(/not validated/);
    given(byoms, uploaded, requested, ended('validated'), registered)
      .when(register)
      .thenRejected(/registered already/);
  });

  test('it is deleted in every state, unless something stands on it, and then it is gone', () => {
    for (const past of [[], [requested], [requested, ended('unsupported')]])
      given(byoms, uploaded, ...past)
        .when(remove())
        .then({ type: 'ByomDeleted', data: { ...of, uid: null, by: 'usr_a' } });
    const all = [uploaded, requested, ended('validated'), registered];
    given(byoms, ...all)
      .when(remove(['deployment prm_1']))
      .thenRejected(/in use by deployment prm_1/);
    const deleted: ByomFact = {
      type: 'ByomDeleted',
      data: { ...of, uid: 'mdl_0123456789abcdef', by: 'usr_a' },
    };
    given(byoms, ...all)
      .when(remove())
      .then(deleted);
    for (const command of [request, start, end('validated'), register, remove()])
      given(byoms, ...all, deleted)
        .when(command)
        .thenRejected(/not found/);
  });

  test('what is meant for another version deletes nothing; what becomes of a validation makes none', () => {
    const all = [uploaded, requested, started, ended('validated')];
    const deleted: ByomFact = { type: 'ByomDeleted', data: { ...of, uid: null, by: 'usr_a' } };
    given(byoms, ...all)
      .when(remove([], 2))
      .then(deleted);
    given(byoms, ...all, registered)
      .when(remove([], 2))
      .thenRejected(/version 3/);
  });

  test('attempts are counted anew for each validation', () => {
    const state = fold(byoms, byoms.initialState, stored<ByomFact>(uploaded, requested, started, started));
    assert.is(state!.validation!.attempts, 2);
    const after = fold(byoms, state, stored<ByomFact>(ended('rejected'), requested));
    assert.is(after!.validation!.attempts, 0);
  });
});
