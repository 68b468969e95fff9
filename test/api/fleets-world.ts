import * as assert from 'uvu/assert';
import type { Json } from '../json.js';
import { startPlatform, until, type Running } from '../platform.js';
import { clientOf, type Client } from './client.js';
import { HOUR_S, hours, push, START_S } from './segments-world.js';

/** Values of an entity: each has a level and a day of its own. */
export const soldBy =
  (place: number) =>
  (i: number): number =>
    10 * (place + 1) + (place + 2) * Math.sin(((i + place) * Math.PI) / 12) + ((i * (place + 3)) % 7) / 10;

export const LENGTH = 120;

/** A platform whose clock is set, and a client that holds its answers to the description. */
export class FleetsWorld {
  /** The last points are of this hour. */
  now = (START_S + LENGTH * HOUR_S) * 1_000 + 60_000;
  running!: Running;
  client!: Client;

  async open(folder: string): Promise<void> {
    this.running = await startPlatform(folder, {
      clock: () => this.now,
      env: { SERVING_THREADS: '1', COMPUTE_WORKERS: '1' },
    });
    const { base, installed } = this.running;
    const description = (await this.running.call('GET', '/openapi/v1.json')).json;
    this.client = clientOf(base, description, {
      ...{ token: installed.token, workspace: installed.workspaceId },
    });
  }
  async close(): Promise<void> {
    this.client.close();
    await this.running.stop();
  }

  /** Signals of entities, with values of all hours before one. */
  async have(base: string, entities: readonly string[], length = LENGTH): Promise<void> {
    for (const [place, entity] of entities.entries())
      await push(this.running, `${base}__${entity}`, hours(length, soldBy(place)));
  }

  /** The id of a fleet that was begun. */
  async begin(body: object): Promise<string> {
    const { status, text, json } = await this.running.call('POST', '/v1/goals/fleets', { body });
    assert.is(status, 202, text);
    return json.data.fleet_id as string;
  }
  fleet = async (id: string): Promise<Json> =>
    (await this.client.get<Json>(`/v1/goals/fleets/${id}`)).body.data;

  /** The fleet once it looks so. */
  becomes = (id: string, what: string, isSo: (fleet: Json) => boolean): Promise<Json> =>
    until(async () => {
      const found = await this.fleet(id);
      return isSo(found) && found;
    }, `${id} to be ${what}`);

  /** With so many goals that are active, all of which were forecast. */
  async forecastOf(id: string, goals: number): Promise<Json> {
    const found = await this.becomes(id, 'made', ({ goal_counts: counts }) => counts.active === goals);
    await until(async () => {
      const path = `/v1/goals/fleets/${id}/forecast?level=entity`;
      const { status, json } = await this.running.call('GET', path);
      return status === 200 && json.data.total === goals;
    }, `forecasts of ${id}`);
    return found;
  }
  async forecast(id: string, level: string): Promise<Json> {
    return (await this.client.get<Json>(`/v1/goals/fleets/${id}/forecast?level=${level}`)).body.data;
  }
}
