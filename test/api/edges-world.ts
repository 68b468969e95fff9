import { edgeIdOf } from '../../commands/edges/records.js';
import type { Finding } from '../../domain/maths/effects/answer.js';
import { measured } from '../domain/edges/given.js';
import type { Running } from '../platform.js';

/** An edge from a stream to a goal, as if a discovery had just validated it; its id. */
export async function validatedEdge(
  { platform, installed }: Running,
  goalId: string,
  sourceKey: string,
): Promise<string> {
  const of = { kind: 'event_stream', sourceKey } as const;
  const finding = { ...measured(), ...of, reasons: [], verdict: 'validated' } as unknown as Finding;
  const at = platform.clock();
  const context = {
    ...{ workspace: installed.workspaceId, actor: 'scheduler:discoveries', request: null },
    ...{ correlation: platform.newId(), causation: null, at },
  };
  const check = { checkId: platform.newId(), asOf: at, alpha: 0.05 };
  const { commands } = platform.areas.discovery.edges;
  const { position } = await commands.check(installed.workspaceId, goalId, finding, check, context);
  await platform.visible(position);
  return edgeIdOf({ goalId, ...of });
}
