import * as assert from 'uvu/assert';
import { createTraces } from '../../adapters/traces/traces.js';
import { silent, startPlatform, temporaryFolder, until, type Running } from '../platform.js';
import { suite } from '../suite.js';
import { collector, type Collector, type Span } from './collector.js';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const CALLER = 'b7ad6b7169203331';

suite('traces of a running platform', test => {
  const folder = temporaryFolder();
  let collected: Collector;

  const start = (running?: ('api' | 'projections' | 'workers')[], before?: Running, share = '1') =>
    startPlatform(folder.path, {
      env: { OTEL_EXPORTER_OTLP_ENDPOINT: collected.endpoint, OTEL_TRACES_SAMPLER_ARG: share },
      ...(running && { running }),
      ...(before && { installed: before.installed }),
    });
  const record = (platform: Running, headers: Record<string, string>) =>
    platform.call('POST', '/v1/event/record', { headers, body: { key: 'news', text: 'Exports halt' } });
  const scored = (platform: Running) =>
    until(async () => (await platform.platform.areas.events.backlog()) === 0, 'the score');
  const inTrace = (traceId: string) => collected.spans.filter(span => span.traceId === traceId);
  /** The one span of this name, below this one. */
  const below = (parent: Span, name: string): Span => {
    const found = inTrace(parent.traceId).filter(
      span => span.parentSpanId === parent.spanId && span.name === name,
    );
    assert.is(found.length, 1, `${name} below ${parent.name}`);
    return found[0]!;
  };

  test.before.each(async () => {
    collected = await collector();
  });
  test.after.each(() => collected.close());
  test.after(() => folder.remove());

  let first: Running;
  test('a request, its append, projection and scoring are one trace, that of its caller', async () => {
    first = await start();
    const { headers } = await record(first, { traceparent: `00-${TRACE}-${CALLER}-01` });
    assert.is(headers.get('x-request-id'), `req_${TRACE}${CALLER}`);
    await scored(first);
    await first.stop();

    const request = inTrace(TRACE).find(span => span.name === 'POST /v1/event/record')!;
    assert.is(request.parentSpanId, CALLER);
    const recorded = below(request, 'append EventRecorded');
    below(recorded, 'project events');
    const reaction = below(recorded, 'react scoring');
    below(reaction, 'score');
    const score = below(reaction, 'append EventScored');
    below(score, 'project events');
    for (const span of inTrace(TRACE))
      assert.ok(BigInt(span.endTimeUnixNano) >= BigInt(span.startTimeUnixNano), span.name);
    const ids = collected.spans.map(span => span.spanId);
    assert.is(new Set(ids).size, ids.length);
  });

  test('what another process does of it later belongs to the same trace', async () => {
    const api = await start(['api', 'projections'], first);
    const answer = await record(api, {});
    const trace = answer.headers.get('x-request-id')!.replace('req_', '');
    await api.stop();
    const workers = await start(['projections', 'workers'], first);
    await scored(workers);
    await workers.stop();

    const request = inTrace(trace).find(span => span.name === 'POST /v1/event/record')!;
    assert.is(request.parentSpanId ?? '', '');
    below(below(below(request, 'append EventRecorded'), 'react scoring'), 'append EventScored');
  });

  test('a request id of the caller keeps its word, and the trace points to the caller', async () => {
    const platform = await start(undefined, first);
    const headers = { traceparent: `00-${TRACE}-${CALLER}-01`, 'x-request-id': 'mine-1' };
    assert.is((await record(platform, headers)).headers.get('x-request-id'), 'mine-1');
    await platform.stop();
    const request = collected.spans.find(span => span.name === 'POST /v1/event/record')!;
    assert.is.not(request.traceId, TRACE);
    assert.equal(
      request.links!.map(({ traceId, spanId }) => [traceId, spanId]),
      [[TRACE, CALLER]],
    );
    below(request, 'append EventRecorded');
  });

  test('spans say what was done, and nothing of a tenant', async () => {
    const platform = await start(undefined, first);
    await record(platform, {});
    await scored(platform);
    await platform.stop();
    const request = collected.spans.find(span => span.name === 'POST /v1/event/record')!;
    const said = Object.fromEntries(
      request.attributes.map(({ key, value }) => [key, Object.values(value)[0]]),
    );
    assert.equal(
      [said['http.request.method'], said['http.route'], Number(said['http.response.status_code'])],
      ['POST', '/v1/event/record', 200],
    );
    const all = JSON.stringify(collected.spans);
    for (const secret of [platform.installed.workspaceId, platform.installed.uid, 'Exports'])
      assert.not.match(all, secret);
    assert.match(JSON.stringify(collected.resources), '"service.name"');
  });

  test('a collector that refuses is told of in the log, and the request is answered anyway', async () => {
    const lines: string[] = [];
    const log = { ...silent, warn: (_: object, message: string) => void lines.push(message) };
    const endpoint = `${collected.endpoint}/elsewhere`;
    const traces = createTraces({ endpoint, service: 'presage', share: 1, log, clock: Date.now });
    const request = {
      method: 'GET',
      headers: {},
      requestId: 'mine',
      route: '',
      status: 200,
      limitedBy: null,
    };
    let answered = 0;
    await traces.request(request, async () => {
      answered++;
    });
    await traces.close();
    assert.equal([answered, lines], [1, ['traces cannot be sent; they are lost']]);
  });

  test('with a share of none nothing is sent, and all else is as ever', async () => {
    const platform = await start(undefined, first, '0');
    assert.is((await record(platform, {})).status, 200);
    await scored(platform);
    await platform.stop();
    assert.equal(collected.spans, []);
  });
});
