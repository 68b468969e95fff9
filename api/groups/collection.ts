import type { GroupKind } from '../../domain/groups/facts.js';
import { contextOf } from '../edge/context.js';
import { perPage } from '../edge/paging.js';
import { row, type Row } from '../edge/row.js';
import { checkTimeZone } from '../edge/time-zone.js';
import { aboveLimit, ownFactor, pageOf, reads, writes, type GroupDeps } from './deps.js';
import { organizationFor } from './organization-choice.js';
import { owning } from './owning.js';
import * as schemas from './schemas.js';
import type { Show } from './show.js';
import { settingsOf } from './settings.js';
import { createdView } from './views.js';

/** All groups of a kind that the caller is in, a new one, and what roles there are. */
export const collectionRows = (kind: GroupKind, deps: GroupDeps, show: Show): Row[] => [
  listRow(kind, deps, show),
  createRow(kind, deps),
  rolesRow(kind),
];

function listRow(kind: GroupKind, { queries }: GroupDeps, { views }: Show): Row {
  const { path, plural, tag, item } = schemas.kinds[kind];
  return row({
    method: 'get',
    path,
    operation: `list${tag}`,
    summary: `The caller's ${plural}`,
    tag,
    access: reads(kind),
    query: schemas.pageQuery,
    answers: { 200: { description: 'By id', schema: schemas.paged(plural, item) } },
    async run({ caller, query }) {
      const among = kind === 'workspace' ? caller.workspaceIds : null;
      const { items, total } = await queries.groupsOf(kind, caller.uid, pageOf(query), among);
      return { body: { data: { [plural]: await views(items), ...perPage(query, total) } } };
    },
  });
}

function createRow(kind: GroupKind, deps: GroupDeps): Row {
  const { commands, plans, clock, visible } = deps;
  const owned = owning(deps);
  const { path, tag, item, create, name } = schemas.kinds[kind];
  return row({
    method: 'post',
    path,
    operation: `create${name}`,
    summary: `Create ${kind === 'workspace' ? 'a workspace' : 'an organization'}`,
    tag,
    // A new workspace would lie outside of what a token is limited to
    access: writes('organization'),
    body: create,
    errors: { 403: ['token_limited', ...aboveLimit(kind)], 409: ownFactor(kind) },
    answers: { 201: { description: 'The caller is its owner', schema: schemas.answerOf(item) } },
    async run(call) {
      const { caller } = call;
      // What only one of the two kinds takes
      const body = call.body as typeof call.body & { organization_id?: string; timezone?: string };
      checkTimeZone(body);
      const wanted = { ...settingsOf(body), name: body.name };
      const context = contextOf(call, clock());
      const shown = async ({ facts, position }: Created) => {
        await visible(position);
        return facts;
      };
      const create = async () => {
        if (kind === 'organization')
          return owned(caller.uid, async () =>
            shown(await commands.createOrganization(caller.uid, wanted, context)),
          );
        const organizationId = await organizationFor(deps, caller, body.organization_id);
        return shown(await commands.createWorkspace(caller.uid, { ...wanted, organizationId }, context));
      };
      const facts = await create();
      return { status: 201, body: { data: createdView(facts, caller.uid, plans.first) } };
    },
  });
}

type Created = Awaited<ReturnType<GroupDeps['commands']['createWorkspace']>>;

function rolesRow(kind: GroupKind): Row {
  const { path, tag, name } = schemas.kinds[kind];
  return row({
    method: 'get',
    path: `${path}/roles`,
    operation: `list${name}Roles`,
    summary: 'What each role may do',
    tag,
    access: reads(kind),
    answers: { 200: { description: 'Each with all of the one before it', schema: schemas.rolesAnswer } },
    run: () => ({ body: { data: { roles: schemas.roleTable } } }),
  });
}
