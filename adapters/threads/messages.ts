/** What goes over to a worker, in order, and what comes back: see serve.ts for the other side. */
export type Request<Job> = { id: number; job: Job } | 'close';
export type Reply<Result> = { id: number; result: Result } | { id: number; error: string };
export type Answer<Result> = 'ready' | Reply<Result>;
