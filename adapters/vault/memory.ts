import type { WrappedKeys } from './vault.js';

export function memoryKeys(): WrappedKeys {
  const keys = new Map<string, string | null>();
  return {
    get: async subject => keys.get(subject),
    async insert(subject, wrapped) {
      if (!keys.has(subject)) keys.set(subject, wrapped);
    },
    async destroy(subject) {
      keys.set(subject, null);
    },
    async retire(subject) {
      keys.set(subject, null);
    },
    async close() {},
  };
}
