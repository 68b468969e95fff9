/** A key of a signal or an event stream, and whose it is. */
export type WorkspaceKey = { readonly workspace: string; readonly key: string };
