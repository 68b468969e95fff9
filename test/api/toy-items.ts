import { row, type Row } from '../../api/edge/row.js';
import { nullable, object } from '../../json-schema.js';
import { Rejected } from '../../domain/rejected.js';
import { ok, reads, tag, text, writes, type Toys } from './toy-parts.js';

const toyParams = object({ toy_id: { ...text, maxLength: 64 } });

/** Single toys, and who asks for them. */
export const items = (toys: Toys): Row[] => [
  row({
    method: 'get',
    path: '/v1/toys/{toy_id}',
    operation: 'getToy',
    summary: 'A toy',
    tag,
    access: reads,
    params: toyParams,
    versioned: true,
    errors: { 404: ['toy_not_found'] },
    answers: ok(object({ data: object({ id: text }) })),
    run: ({ params }) => {
      if (params.toy_id === 'none') throw new Rejected('missing', 'toy_not_found', 'Toy not found');
      return { body: { data: { id: params.toy_id } }, etag: '3' };
    },
  }),
  row({
    method: 'put',
    path: '/v1/toys/{toy_id}',
    operation: 'putToy',
    summary: 'Change a toy',
    tag,
    access: writes,
    params: toyParams,
    body: object({}, { name: text }),
    versioned: true,
    errors: { 409: ['version_conflict'] },
    answers: ok(object({ seen: nullable(text) })),
    run: ({ ifMatch }) => {
      if (ifMatch === '2')
        throw new Rejected('conflict', 'version_conflict', 'The toy is at version 3', { version: 3 });
      return { body: { seen: ifMatch }, etag: '4' };
    },
  }),
  row({
    method: 'get',
    path: '/v1/toys/{toy_id}/parts',
    operation: 'getParts',
    summary: 'Parts',
    tag,
    access: reads,
    params: toyParams,
    versioned: 'by_content',
    answers: ok(object({ id: text })),
    run: ({ params }) => ({ body: { id: params.toy_id } }),
  }),
  row({
    method: 'get',
    path: '/v1/me',
    operation: 'getCaller',
    summary: 'Who calls',
    tag: 'Users',
    access: { kind: 'account' },
    answers: ok(),
    run: ({ caller, workspace }) => ({ body: { ...caller, chosen: workspace } }),
  }),
  row({
    method: 'get',
    path: '/v1/me/tokens',
    operation: 'getTokens',
    summary: 'Tokens',
    tag: 'Users',
    answers: ok(),
    access: { kind: 'account', scope: 'workspaces.read' },
    run: () => ({ body: {} }),
  }),
  row({
    method: 'post',
    path: '/v1/toys/promote',
    operation: 'promote',
    summary: 'Promote',
    tag,
    answers: ok(),
    access: { kind: 'workspace', scope: ['trainings.run', 'deployments.write'] },
    run() {
      toys.made++;
      return { body: {} };
    },
  }),
];
