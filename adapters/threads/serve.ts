import { parentPort, workerData, type MessagePort } from 'node:worker_threads';
import type { Answer, Request } from './messages.js';

export type Service<Job, Result> = { run(job: Job): Promise<Result>; close(): Promise<void> };

/** The worker's side of a pool: opens the service, then does jobs one by one in the order they came. */
export const serve = async <Job, Result>(
  open: (data: unknown) => Promise<Service<Job, Result>>,
): Promise<void> => {
  const port = parentPort;
  if (!port) throw new Error('Only for worker threads');
  const service = await open(workerData);
  let last = Promise.resolve();
  port.on('message', (request: Request<Job>) => {
    last = last.then(() => handle(port, service, request));
  });
  port.postMessage('ready' satisfies Answer<Result>);
};

const handle = async <Job, Result>(
  port: MessagePort,
  service: Service<Job, Result>,
  request: Request<Job>,
): Promise<void> => {
  if (request === 'close') {
    await service.close();
    return port.close();
  }
  const { id, job } = request;
  const answer: Answer<Result> = await service.run(job).then(
    result => ({ id, result }),
    error => ({ id, error: String(error) }),
  );
  port.postMessage(answer);
};
