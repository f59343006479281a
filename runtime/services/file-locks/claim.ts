import { basename, dirname, join } from 'node:path';

import type { Files } from '#schemas/types/host.ts';

import { isIdentity, type ProcessIdentity } from './process-identity.ts';

/** Content of a claim file. */
export interface ClaimRecord {
  /** 32 hex digits, never used twice. */
  readonly token: string;
  readonly owner: ProcessIdentity;
  /** Time for people; nothing is decided by it. */
  readonly since: string;
}

/** Bytes of a claim; what is larger is none. */
const LARGEST = 64 * 1024;

/** `busy`: somebody holds it. `changing`: it may be free at once. */
export type Attempt =
  | { readonly kind: 'taken' }
  | { readonly kind: 'busy'; readonly by: ClaimRecord | undefined }
  | { readonly kind: 'changing' };

/**
 * The claim beside a lock file: who made it holds the lock, until it is removed. It appears whole or not at all, and
 * only where none is.
 *
 * A claim whose process is gone is removed by whoever first makes a file named after that claim's token: tokens are
 * never used twice, so for each dead claim one remover at a time is let through, and looks once more whether it is
 * still that claim. A remover that dies on the way is removed in the same manner.
 */
export class Claim {
  readonly path: string;
  readonly #files: Files;
  readonly #isGone: (owner: ProcessIdentity) => boolean;

  /** `isGone`: whether a process has certainly ended. */
  constructor(files: Files, lockFile: string, isGone: (owner: ProcessIdentity) => boolean) {
    this.path = `${lockFile}.held`;
    this.#files = files;
    this.#isGone = isGone;
  }

  async take(record: ClaimRecord): Promise<Attempt> {
    if (await this.#make(this.path, record)) {
      // A file that cannot be tidied does no harm; the lock is ours already.
      await this.#tidy().catch(() => undefined);
      return { kind: 'taken' };
    }
    const found = await this.#read(this.path);
    if (found === 'none') return { kind: 'changing' };
    if (found === 'unknown') return { kind: 'busy', by: undefined };
    if (!this.#isGone(found.owner)) return { kind: 'busy', by: found };
    await this.#removeDead(this.path, found, record);
    return { kind: 'changing' };
  }

  /** False where the claim is another one, or none. */
  async giveUp(token: string): Promise<boolean> {
    const found = await this.#read(this.path);
    if (typeof found === 'string' || found.token !== token) return false;
    return this.#removeIfThere(this.path);
  }

  async #removeDead(path: string, dead: ClaimRecord, record: ClaimRecord): Promise<void> {
    const permit = `${this.path}.${dead.token}`;
    if (!(await this.#make(permit, record))) {
      const other = await this.#read(permit);
      if (typeof other !== 'string' && this.#isGone(other.owner)) await this.#removeDead(permit, other, record);
      return;
    }
    try {
      const found = await this.#read(path);
      if (typeof found !== 'string' && found.token === dead.token) await this.#removeIfThere(path);
    } finally {
      await this.#removeIfThere(permit);
    }
  }

  async #make(path: string, record: ClaimRecord): Promise<boolean> {
    try {
      await this.#files.write(path, JSON.stringify(record), { exclusive: true, durable: true });
      return true;
    } catch (error) {
      if (codeOf(error) === 'EEXIST') return false;
      throw error;
    }
  }

  async #read(path: string): Promise<ClaimRecord | 'none' | 'unknown'> {
    try {
      const { kind, size } = await this.#files.lstat(path);
      // Reading a pipe would wait for whoever writes.
      if (kind !== 'file' || size > LARGEST) return 'unknown';
      const record: unknown = JSON.parse(new TextDecoder().decode(await this.#files.read(path)));
      return isRecord(record) ? record : 'unknown';
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return 'none';
      if (error instanceof SyntaxError) return 'unknown';
      throw error;
    }
  }

  /** Permits are left where a remover died. Their claims are gone, so whoever holds the lock may take them away. */
  async #tidy(): Promise<void> {
    const folder = dirname(this.path);
    const begin = `${basename(this.path)}.`;
    for (const { name } of await this.#files.list(folder)) {
      if (name.startsWith(begin) && /^[0-9a-f]{32}$/.test(name.slice(begin.length)))
        await this.#removeIfThere(join(folder, name));
    }
  }

  async #removeIfThere(path: string): Promise<boolean> {
    try {
      await this.#files.remove(path);
      return true;
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return false;
      throw error;
    }
  }
}

function isRecord(value: unknown): value is ClaimRecord {
  return (
    typeof value === 'object' &&
    value !== null &&
    'token' in value &&
    typeof value.token === 'string' &&
    'owner' in value &&
    isIdentity(value.owner)
  );
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
