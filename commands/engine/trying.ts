import { fold, journalOf } from '../../domain/decider.js';
import type { Fact } from '../../domain/fact.js';
import type { Handle, Look } from './handle.js';

/** Decides as `handle` does and writes nothing: what would happen. `newId` makes a UUID for each fact. */
export const tryingOut =
  (look: Look, newId: () => string): Handle =>
  async (decider, command, { at, workspace, actor, request, correlation, causation }, known) => {
    const id = decider.idOf(command);
    const { state, revision, position } = await look(decider, id, known);
    const meta = { workspace, actor, request, correlation, causation };
    const facts = decider.decide(command, state).map((message, i) => ({
      ...{ id: newId(), at, meta, ...message },
      ...{ journal: journalOf(decider, id), revision: revision + 1 + i, position: position ?? 0 },
    }));
    const after = fold(decider, state, facts as Fact[]);
    return { facts, position: null, after, revision: revision + facts.length };
  };
