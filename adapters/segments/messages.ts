import type { EdgeResponse } from '../../domain/segments/ports.js';
import type { EventFigure } from '../../domain/segments/receipts.js';
import type { Thrown } from '../compute/messages.js';

/** What the process that works asks of the one that holds the stores. */
export type Asks = {
  span: { readonly ask: [key: string, from: number, to: number]; readonly answer: Ends | null };
  /** A reading of points or events; it is asked for page by page. */
  open: {
    readonly ask: [of: 'points' | EventFigure, key: string, from: number, to: number];
    readonly answer: number;
  };
  next: { readonly ask: [reading: number]; readonly answer: Page | null };
  close: { readonly ask: [reading: number]; readonly answer: null };
  responses: {
    readonly ask: [stream: string, target: string];
    readonly answer: readonly EdgeResponse[];
  };
  entities: { readonly ask: [base: string]; readonly answer: readonly string[] };
  put: { readonly ask: [bytes: Uint8Array]; readonly answer: string };
  /** Null: it is lost. */
  get: { readonly ask: [sha256: string]; readonly answer: Uint8Array | null };
  /** Whether it is there, and whole. */
  has: { readonly ask: [sha256: string]; readonly answer: boolean };
};
export type Asked = keyof Asks;
type Ends = { readonly first: number; readonly last: number };
export type Page = { readonly times: Float64Array; readonly values: Float64Array };

export type FromWorker =
  | { readonly type: 'ask'; readonly id: number; readonly what: Asked; readonly args: readonly unknown[] }
  | { readonly type: 'done'; readonly result: unknown }
  | { readonly type: 'thrown'; readonly thrown: Thrown };

export type ToWorker =
  | { readonly type: 'work'; readonly job: unknown }
  | { readonly type: 'answer'; readonly id: number; readonly value: unknown };
