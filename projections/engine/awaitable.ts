/** A value that is there, or one that is promised: what is at hand needs no turn of the event loop. */
export type Awaitable<T> = T | Promise<T>;

/** Goes on at once with a value that is there, and later with a promised one. */
export const andThen = <T, U>(value: Awaitable<T>, next: (value: T) => Awaitable<U>): Awaitable<U> =>
  value instanceof Promise ? value.then(next) : next(value);
