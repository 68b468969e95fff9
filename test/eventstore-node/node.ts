import featuresService, {
  type IServerFeaturesServer,
} from '@eventstore/db-client/generated/serverfeatures_grpc_pb.js';
import type { IStreamsServer } from '@eventstore/db-client/generated/streams_grpc_pb.js';
import features from '@eventstore/db-client/generated/serverfeatures_pb.js';
import { Server, ServerCredentials } from '@grpc/grpc-js';
import { promisify } from 'node:util';
import { serveAppend } from './append.js';
import { serveBatchAppend } from './batch-append.js';
import type { Failure } from './failures.js';
import { serveRead } from './read.js';
import { serveDelete, serveTombstone } from './remove.js';
import { StreamsService } from './service.js';
import { noFaults, type Faults, type Settings } from './settings.js';
import { Store } from './store.js';

export type NodeOptions = {
  /** Data file; `:memory:` keeps nothing. */
  file?: string;
  /** 0: any free one. */
  port?: number;
  /** 23 answers as 23.10.6, 24 as 24.2.0. */
  generation?: 23 | 24;
  /** Generation 23 drops a live subscriber that more than this many events wait for. */
  liveBuffer?: number;
  /** How many ids the memory for ANY and STREAM_EXISTS holds. */
  recentIds?: number;
  /** Calls at a time on one connection. */
  maxCalls?: number;
  faults?: Partial<Faults>;
};

export type TestNode = {
  port: number;
  /** For the client: `esdb://127.0.0.1:PORT?tls=false`. */
  address: string;
  /** What it does instead of answering; may be changed while it runs. */
  faults: Faults;
  /** Cuts every connection and lets go of the file. */
  stop(): void;
};

/**
 * A stand-in for an EventStoreDB node, for tests alone: the Streams protocol on 127.0.0.1, held to the
 * recorded answers of real nodes by `test/contract/eventstore-node.test.ts`. It has no persistent
 * subscriptions, users, links, projections, scavenging or cluster.
 */
export const startNode = async (options: NodeOptions = {}): Promise<TestNode> => {
  const store = new Store(options.file ?? ':memory:', options.recentIds ?? 70_000);
  const settings: Settings = {
    generation: options.generation ?? 23,
    liveBuffer: options.liveBuffer ?? 64,
    maxAppend: 1024 * 1024,
    faults: { ...noFaults(), ...options.faults },
  };
  const server = serve(store, settings, options.maxCalls ?? 100);
  const bind = promisify(server.bindAsync.bind(server));
  const port = await bind(`127.0.0.1:${options.port ?? 0}`, ServerCredentials.createInsecure());
  return {
    port,
    address: `esdb://127.0.0.1:${port}?tls=false`,
    faults: settings.faults,
    stop() {
      server.forceShutdown();
      store.close();
    },
  };
};

const serve = (store: Store, settings: Settings, maxCalls: number): Server => {
  const server = new Server({
    'grpc.max_receive_message_length': -1, // StreamsService looks at the size itself
    'grpc.max_send_message_length': -1,
    'grpc.max_concurrent_streams': maxCalls,
  });
  const streams: IStreamsServer = {
    read: call => void serveRead(call, store, settings),
    append: (call, callback) => serveAppend(call, callback, store, settings),
    batchAppend: call => serveBatchAppend(call, store, settings),
    delete: (call, callback) => serveDelete(call, callback, store),
    tombstone: (call, callback) => serveTombstone(call, callback, store),
  };
  server.addService(StreamsService, streams);
  const methods: IServerFeaturesServer = {
    getSupportedMethods: (_call, callback) =>
      void settings.faults.beforeMethods().then(
        () => callback(null, supportedMethods(settings.generation)),
        (error: Failure) => callback(error, null),
      ),
  };
  server.addService(featuresService.ServerFeaturesService, methods);
  return server;
};

const METHODS = {
  read: ['position', 'events'],
  append: [],
  delete: [],
  tombstone: [],
  batchappend: ['deadline_duration'],
} satisfies Record<string, string[]>;

/**
 * What a client asks for when it connects: without `batchappend` it takes the unary path for every append.
 */
const supportedMethods = (generation: 23 | 24): features.SupportedMethods => {
  const answer = new features.SupportedMethods().setEventStoreServerVersion(
    generation === 23 ? '23.10.6' : '24.2.0',
  );
  for (const [name, list] of Object.entries(METHODS)) {
    answer.addMethods(
      new features.SupportedMethod()
        .setServiceName('event_store.client.streams.streams')
        .setMethodName(name)
        .setFeaturesList(list),
    );
  }
  return answer;
};
