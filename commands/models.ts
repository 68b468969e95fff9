import { blueprints } from '../domain/models/blueprints.js';
import type { BlueprintKind, BlueprintLabels } from '../domain/models/facts.js';
import { ratings } from '../domain/models/ratings.js';
import type { Context, Handle } from './engine/handle.js';
import { newId } from './engine/ids.js';

export type ModelCommands = ReturnType<typeof modelCommands>;

/** `workspace`: in which the blueprint is made; `uid`s of people are those of who asks. */
export const modelCommands = (handle: Handle) => ({
  async create(workspace: string, owner: string, said: BlueprintLabels & BlueprintKind, context: Context) {
    const blueprint = { ...said, uid: newId('mdl_'), owner };
    const { position } = await handle(
      blueprints,
      { type: 'CreateBlueprint', data: { workspace, blueprint } },
      { ...context, workspace },
    );
    return { uid: blueprint.uid, position };
  },
  /** The blueprint is there and may be seen by who rates: who asks makes sure of it. */
  rate: (uid: string, by: string, stars: number, context: Context) =>
    handle(ratings, { type: 'RateBlueprint', data: { uid, by, stars } }, context),
});
