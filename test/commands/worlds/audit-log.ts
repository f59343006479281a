import type { MakeWorld } from './world.ts';

/** An audit log that is open. */
export const world: MakeWorld = async () => ({
  before: [['FA_audit_open', { db_path: 'audit.db', actor: 'example' }]],
  [Symbol.asyncDispose]: async () => undefined,
});
