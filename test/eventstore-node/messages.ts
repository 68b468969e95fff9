import shared from '@eventstore/db-client/generated/shared_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import { randomUUID } from 'node:crypto';
import { GONE, MAX_REVISION, type Proposed, type Stored } from './rows.js';
import type { Expected } from './rules.js';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Part of a request is not as it must be. */
export class BadRequest extends Error {}

/** A UUID as lower-case text; clients send it as text or as two numbers. */
export const readUuid = (message: shared.UUID | undefined): string => {
  const structured = message?.getStructured();
  if (!structured) return (message?.getString() ?? '').toLowerCase();
  const bytes = Buffer.alloc(16);
  bytes.writeBigInt64BE(BigInt(structured.getMostSignificantBits()), 0);
  bytes.writeBigInt64BE(BigInt(structured.getLeastSignificantBits()), 8);
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
};

export const readName = (identifier: shared.StreamIdentifier | undefined): string =>
  Buffer.from(identifier?.getStreamName_asU8() ?? []).toString('utf8');

type ExpectedOptions = { hasAny(): boolean; hasNoStream(): boolean; hasStreamExists(): boolean };

/** The expected revision of an append or delete; `revision`: what it says when it is a number. */
export const readExpected = (options: ExpectedOptions, revision: string): Expected => {
  if (options.hasAny()) return 'any';
  if (options.hasNoStream()) return 'no_stream';
  if (options.hasStreamExists()) return 'stream_exists';
  return Number(revision);
};

/** One event of an append; both kinds of append have the same message under two names. */
export const readProposed = (
  message: streams.AppendReq.ProposedMessage | streams.BatchAppendReq.ProposedMessage,
): Proposed => {
  const metadata = message.getMetadataMap();
  const json = metadata.get('content-type') === 'application/json';
  const id = readUuid(message.getId());
  const type = metadata.get('type');
  if (!UUID.test(id)) throw new BadRequest('The event id is not a UUID.');
  if (/^[0-]+$/.test(id)) throw new BadRequest('The event id is empty.');
  if (!type) throw new BadRequest('The event type is empty.');
  return {
    id,
    type,
    contentType: json ? 'application/json' : 'application/octet-stream',
    data: Buffer.from(message.getData_asU8()),
    meta: Buffer.from(message.getCustomMetadata_asU8()),
  };
};

/** Only the data counts towards the maximum append size, not type and metadata. */
export const dataSize = (events: readonly Proposed[]): number =>
  events.reduce((sum, event) => sum + event.data.length, 0);

type PositionMessage = {
  setCommitPosition(value: string): unknown;
  setPreparePosition(value: string): unknown;
};

/** Fills a message with a position; commit and prepare are always the same. */
export const setPosition = <M extends PositionMessage>(message: M, position: number): M => {
  message.setCommitPosition(String(position));
  message.setPreparePosition(String(position));
  return message;
};

const identifierOf = (name: string): shared.StreamIdentifier => {
  const identifier = new shared.StreamIdentifier();
  identifier.setStreamName(new Uint8Array(Buffer.from(name)));
  return identifier;
};

export const eventAnswer = (event: Stored): streams.ReadResp => {
  const recorded = new streams.ReadResp.ReadEvent.RecordedEvent();
  const id = new shared.UUID();
  id.setString(event.id);
  recorded.setId(id);
  recorded.setStreamIdentifier(identifierOf(event.stream));
  recorded.setStreamRevision(event.revision >= GONE ? MAX_REVISION : String(event.revision));
  setPosition(recorded, event.position);
  const metadata = recorded.getMetadataMap();
  metadata.set('type', event.type);
  metadata.set('content-type', event.contentType);
  metadata.set('created', String(event.created * 10_000)); // ticks of 100 ns
  recorded.setData(new Uint8Array(event.data));
  if (event.meta.length) recorded.setCustomMetadata(new Uint8Array(event.meta));
  const read = new streams.ReadResp.ReadEvent();
  read.setEvent(recorded);
  read.setCommitPosition(String(event.position));
  return new streams.ReadResp().setEvent(read);
};

export const notFoundAnswer = (name: string): streams.ReadResp =>
  new streams.ReadResp().setStreamNotFound(
    new streams.ReadResp.StreamNotFound().setStreamIdentifier(identifierOf(name)),
  );

export const confirmationAnswer = (): streams.ReadResp =>
  new streams.ReadResp().setConfirmation(
    new streams.ReadResp.SubscriptionConfirmation().setSubscriptionId(randomUUID()),
  );

export const caughtUpAnswer = (): streams.ReadResp =>
  new streams.ReadResp().setCaughtUp(new streams.ReadResp.CaughtUp());

export const checkpointAnswer = (position: number): streams.ReadResp =>
  new streams.ReadResp().setCheckpoint(setPosition(new streams.ReadResp.Checkpoint(), position));
