/** Something of a workspace. Its id begins with that of the workspace and a slash. */
type Owned = { readonly _id: string; readonly workspace: string };

/** Behind all ids of a workspace, and before those of the next: what comes after a slash. */
const behind = (workspace: string): string => `${workspace}0`;

/**
 * Looks at what all workspaces have, in the order of ids, page by page. Of one that has much a look takes its
 * first ones and one page more, which goes on where the look before it ended: others wait no longer for it
 * than that, however much it has, and all of it has its turn.
 *
 * `pageBehind`: the next few whose ids are behind one; none: there are no more.
 */
export function shares<D extends Owned>(pageBehind: (id: string) => Promise<readonly D[]>) {
  /** Where the look before ended, by workspaces that have more than a look takes. */
  const left = new Map<string, string>();
  return async function* look(): AsyncGenerator<readonly D[]> {
    let after = '';
    /** Whose the next page is to be. */
    let whose: string | null = null;
    for (;;) {
      const page: readonly D[] = await pageBehind(after);
      const last = page.at(-1);
      if (whose !== null && last?.workspace !== whose) left.delete(whose);
      if (!last) return;
      yield page;
      const { workspace, _id }: Owned = last;
      if (workspace === whose) {
        left.set(workspace, _id);
        after = behind(workspace);
        whose = null;
      } else {
        const at = left.get(workspace) ?? '';
        after = at > _id ? at : _id;
        whose = workspace;
      }
    }
  };
}
