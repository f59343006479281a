import type { PortContext, Provider } from '#runtime/kernel/ports.ts';
import * as fail from '#schemas/generated/failures.ts';
import type { Host } from '#schemas/types/host.ts';

import { Claim, type ClaimRecord } from './claim.ts';
import type { FileLockOptions, FileLocks, HeldFileLock } from './port.ts';
import { describe, isGone, ownIdentity } from './process-identity.ts';

/** How often a lock that is held is asked for again. */
const POLL_MS = 50;
/** How long beyond its time somebody waits who found the lock on its way to be free. */
const CHANGE_MS = 1000;

export const provider: Provider<'fileLocks'> = { open: openFileLocks };

export function openFileLocks({ host, release }: Pick<PortContext, 'host' | 'release'>): FileLocks {
  const open = new Set<Lock>();
  release(async () => {
    const ended = await Promise.allSettled([...open].map((lock) => lock.release()));
    for (const end of ended) if (end.status === 'rejected') throw end.reason;
  });
  return {
    acquire: async (path, options) => {
      const lockFile = await lockFileAt(host, path);
      const name = `file:${lockFile}`;
      const own = ownIdentity();
      if (options.holds?.includes(name)) throw fail.lockHeldAround({ name: path });
      const claim = new Claim(host.files, lockFile, (owner) => isGone(owner, own));
      const token = await waitFor(claim, path, host, options);
      const lock = new Lock({ path, name }, () => claim.giveUp(token), () => open.delete(lock));
      open.add(lock);
      return lock;
    },
  };
}

class Lock implements HeldFileLock {
  readonly name: string;
  readonly #path: string;
  readonly #giveUp: () => Promise<boolean>;
  readonly #ended: () => void;
  #released: Promise<void> | undefined;

  constructor({ path, name }: { readonly path: string; readonly name: string }, giveUp: () => Promise<boolean>, ended: () => void) {
    this.name = name;
    this.#path = path;
    this.#giveUp = giveUp;
    this.#ended = ended;
  }

  release(): Promise<void> {
    return (this.#released ??= this.#release());
  }

  async #release(): Promise<void> {
    this.#ended();
    if (!(await this.#giveUp())) throw fail.lockLost({ name: this.#path, reason: 'its file was removed' });
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

/** The token of the claim, once it is ours. */
async function waitFor(claim: Claim, path: string, { clock, random }: Host, { timeout, signal }: FileLockOptions): Promise<string> {
  const token = Buffer.from(random.bytes(16)).toString('hex');
  const begin = clock.monotonic();
  for (;;) {
    signal.throwIfAborted();
    const record: ClaimRecord = { token, owner: ownIdentity(), since: new Date(clock.now()).toISOString() };
    const attempt = await claim.take(record);
    if (attempt.kind === 'taken') return token;
    const isBusy = attempt.kind === 'busy';
    const left = timeout === null ? Infinity : timeout * 1000 - (clock.monotonic() - begin);
    if (left <= (isBusy ? 0 : -CHANGE_MS)) throw fail.lockTimedOut({ name: path, seconds: timeout ?? 0, holder: holderOf(claim, isBusy ? attempt.by : undefined) });
    // Those who wait for one lock must not come back in step.
    const wait = (isBusy ? POLL_MS : 2) * (0.8 + 0.4 * random.number());
    await clock.sleep(isBusy ? Math.min(wait, left) : wait, signal);
  }
}

function holderOf({ path }: Claim, by: ClaimRecord | undefined): string {
  return by ? `${describe(by.owner)} since ${by.since}` : `"${path}", which tells no owner`;
}
