import { until, type Running } from '../platform.js';

/** What tests do with events of a platform that is there when they begin. */
export function eventCalls(given: () => Running) {
  const record = (body: object) => given().call('POST', '/v1/event/record', { body });
  const get = async (path: string) => (await given().call('GET', path)).json;
  const scored = (id: string) =>
    until(async () => {
      const { data } = await get(`/v1/event/${id}`);
      return data.status === 'scored' && data;
    }, `a score of ${id}`);
  return { record, get, scored };
}
