/**
 * Whether a name was said within some time (ms) before; remembers at most so many, the newest. In this
 * process alone.
 */
export function recently(most: number, within: number) {
  const said = new Map<string, number>();
  return (name: string, now: number): boolean => {
    const before = said.get(name);
    said.delete(name);
    said.set(name, now);
    for (const [oldest, at] of said) {
      if (said.size <= most && at > now - within) break;
      said.delete(oldest);
    }
    return before !== undefined && before > now - within;
  };
}
