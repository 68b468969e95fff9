/**
 * What a process that was begun for one piece of work does with all that `saidBy` sends it: it ends with whom
 * it works for, and says no more at a time than it is asked for. `ahead`: before it was asked the first time.
 */
export function atCall<Order>(ahead: number, work: (order: Order) => Promise<void>): () => Promise<void> {
  let room = ahead;
  let wake = (): void => undefined;
  // Whom it works for decides about the end, also when Ctrl-C reaches everybody in the terminal
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
  process.on('disconnect', () => process.exit());
  process.on('message', (order: Order | 'more') => {
    if (order !== 'more') {
      void work(order as Order);
      return;
    }
    room++;
    wake();
  });
  return async () => {
    while (room === 0)
      await new Promise<void>(resolve => {
        wake = resolve;
      });
    room--;
  };
}
