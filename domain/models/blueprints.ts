import type { Decider } from '../decider.js';
import type { Message } from '../fact.js';
import { Rejected } from '../rejected.js';
import type { BlueprintCreated } from './facts.js';

export type CreateBlueprint = Message<
  'CreateBlueprint',
  { readonly workspace: string; readonly blueprint: BlueprintCreated['data'] }
>;

/** Characters of `metadata` as JSON. */
const METADATA_LENGTH = 16_384;

function decide({ data: { blueprint } }: CreateBlueprint, made: boolean): readonly BlueprintCreated[] {
  if (made) return [];
  const length = JSON.stringify(blueprint.metadata).length;
  if (length > METADATA_LENGTH)
    throw new Rejected('unprocessable', 'validation_error', '1 field is not valid', {
      detail: [
        {
          loc: ['body', 'metadata'],
          msg: `must have at most ${METADATA_LENGTH} characters as JSON, not ${length}`,
          type: 'too_long',
        },
      ],
    });
  return [{ type: 'BlueprintCreated', data: blueprint }];
}

/** A blueprint is made once. State: whether it was. */
export const blueprints: Decider<CreateBlueprint, BlueprintCreated, boolean> = {
  category: 'blueprint',
  idOf: ({ data }) => `${data.workspace}.${data.blueprint.uid}`,
  initialState: false,
  decide,
  evolve: () => true,
};
