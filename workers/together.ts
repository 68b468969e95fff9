import { setImmediate as turn } from 'node:timers/promises';

type Waiting<T> = { readonly items: T[]; readonly done: Promise<unknown> };

/** What comes under one name while others of it are being told is told together, once, in order. */
export function together<T, C>(tell: (name: string, items: readonly T[], context: C) => Promise<unknown>) {
  const waiting = new Map<string, Waiting<T>>();
  const last = new Map<string, Promise<unknown>>();
  return async (name: string, item: T, context: C): Promise<void> => {
    const open = waiting.get(name);
    if (open) {
      open.items.push(item);
      await open.done;
      return;
    }
    const items = [item];
    const telling = async (): Promise<void> => {
      await last.get(name)?.catch(() => undefined);
      await turn();
      waiting.delete(name);
      await tell(name, items, context);
    };
    const done = telling();
    waiting.set(name, { items, done });
    last.set(name, done);
    const forget = (): void => {
      if (last.get(name) === done) last.delete(name);
    };
    done.then(forget, forget);
    await done;
  };
}
