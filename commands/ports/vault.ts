/**
 * The port to the keys of personal data. Facts are for ever, people may ask to be forgotten: what is personal
 * in a fact is sealed with a key of that person, and forgetting is throwing the key away. Every adapter
 * passes `test/contract/vault.ts`.
 *
 * Unlike read models this must be kept and backed up with the log: without it personal data is gone.
 */
export type Vault = {
  /** The key of a person (32 bytes), made when there is none yet; null when it was thrown away, for good. */
  key(subject: string): Promise<Uint8Array | null>;
  /** The key of a person as it is, never made; null when there is none. */
  known(subject: string): Promise<Uint8Array | null>;
  /** Whether a person has a key, or had one that was thrown away. */
  everHad(subject: string): Promise<boolean>;
  /** Throws the key away. From then on `key` answers null for ever, and no file of ours holds it. */
  destroy(subject: string): Promise<void>;
  /** The same at little cost: copies that files may keep of it go with the next `destroy` of whatever key. */
  retire(subject: string): Promise<void>;
  close(): Promise<void>;
};
