import { dirname } from 'node:path';

import type { PortContext, Provider } from '#runtime/kernel/ports.ts';
import * as fail from '#schemas/generated/failures.ts';
import type { Host } from '#schemas/types/host.ts';

import { Claim, type ClaimRecord } from './claim.ts';
import { HeldAround } from './held-around.ts';
import type { FileLockOptions, FileLocks, HeldFileLock } from './port.ts';
import { describe, isGone, ownIdentity } from './process-identity.ts';

/** Poll interval (ms) while a lock is held by another. */
const POLL_MS = 50;
/** Time (ms) beyond its limit that a claim still waits for a lock that is just becoming free. */
const CHANGE_MS = 1000;

export const provider: Provider<'fileLocks'> = { open: openFileLocks };

export function openFileLocks({ host, release }: Pick<PortContext, 'host' | 'release'>): FileLocks {
  const open = new Set<Lock>();
  const around = new HeldAround();
  release(async () => {
    const ended = await Promise.allSettled([...open].map((lock) => lock.release()));
    for (const end of ended) if (end.status === 'rejected') throw end.reason;
  });
  const claimOf = (lockFile: string): Claim => {
    const own = ownIdentity();
    return new Claim(host.files, lockFile, (owner) => isGone(owner, own));
  };
  const held = (path: string, claim: Claim, token: string, ended: () => void = () => undefined): HeldFileLock => {
    const lock = new Lock(
      path,
      () => claim.giveUp(token),
      () => {
        ended();
        open.delete(lock);
      },
    );
    open.add(lock);
    return lock;
  };
  return {
    acquire: async (path, options) => {
      const { step } = options;
      const lockFile = await lockFileAt(host, path);
      if (step && around.has(step, lockFile)) throw fail.lockHeldAround({ name: path });
      const claim = claimOf(lockFile);
      const end = await waitFor(claim, host, options);
      if ('holder' in end) throw fail.lockTimedOut({ name: path, seconds: options.timeout ?? 0, holder: end.holder });
      return held(path, claim, end.token, step && around.add(step, lockFile));
    },
    take: async (path, signal) => {
      await host.files.makeDirectory(dirname(path), { recursive: true });
      const claim = claimOf(path);
      const end = await waitFor(claim, host, { timeout: 0, signal });
      return 'holder' in end ? { holder: end.holder, claim: claim.path } : held(path, claim, end.token);
    },
  };
}

class Lock implements HeldFileLock {
  readonly #path: string;
  readonly #giveUp: () => Promise<boolean>;
  readonly #ended: () => void;
  #released: Promise<void> | undefined;

  constructor(path: string, giveUp: () => Promise<boolean>, ended: () => void) {
    this.#path = path;
    this.#giveUp = giveUp;
    this.#ended = ended;
  }

  release(): Promise<void> {
    return (this.#released ??= this.#release());
  }

  async #release(): Promise<void> {
    let isGivenUp: boolean;
    try {
      isGivenUp = await this.#giveUp();
    } catch (error) {
      // Still held: the end of the unit tries again.
      this.#released = undefined;
      throw error;
    }
    this.#ended();
    if (!isGivenUp) throw fail.lockLost({ name: this.#path, reason: 'its file was removed' });
  }
}

/** The lock file by its one real name. It stays where it is: what is locked is the name, not the content. */
async function lockFileAt({ files }: Host, path: string): Promise<string> {
  const found = await files.find(path);
  if (found?.kind === 'directory') throw fail.isAFolder({ path });
  if (!found) await files.write(path, '', { parents: true, exclusive: true }).catch(ignoreWhenThere);
  return files.realPath(path);
}

function ignoreWhenThere(error: unknown): void {
  if (!(error instanceof Error) || !('code' in error) || error.code !== 'EEXIST') throw error;
}

/** The token of the claim, once it is ours; who has it, when time is over. */
async function waitFor(
  claim: Claim,
  { clock, random }: Host,
  { timeout, signal }: Pick<FileLockOptions, 'timeout' | 'signal'>,
): Promise<{ readonly token: string } | { readonly holder: string }> {
  const token = Buffer.from(random.bytes(16)).toString('hex');
  const begin = clock.monotonic();
  for (;;) {
    signal.throwIfAborted();
    const record: ClaimRecord = { token, owner: ownIdentity(), since: new Date(clock.now()).toISOString() };
    const attempt = await claim.take(record);
    if (attempt.kind === 'taken') return { token };
    const isBusy = attempt.kind === 'busy';
    const left = timeout === null ? Infinity : timeout * 1000 - (clock.monotonic() - begin);
    if (left <= (isBusy ? 0 : -CHANGE_MS)) return { holder: holderOf(claim, isBusy ? attempt.by : undefined) };
    // Those who wait for one lock must not come back in step.
    const wait = (isBusy ? POLL_MS : 2) * (0.8 + 0.4 * random.number());
    await clock.sleep(isBusy ? Math.min(wait, left) : wait, signal);
  }
}

function holderOf({ path }: Claim, by: ClaimRecord | undefined): string {
  return by ? `${describe(by.owner)} since ${by.since}` : `"${path}", which tells no owner`;
}
