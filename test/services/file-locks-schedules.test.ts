import { expect, it } from 'vitest';

import { memoryHost } from '#runtime/hosts/memory.ts';
import { Claim } from '#runtime/services/file-locks/claim.ts';
import type { ProcessIdentity } from '#runtime/services/file-locks/process-identity.ts';
import type { Files } from '#schemas/types/host.ts';

/** Numbers that look random and are the same each time. */
function chance(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

interface Schedule {
  readonly holders: number;
  readonly taken: number;
  readonly killed: number;
  /** Names that are left when somebody has taken the lock once more at the end. */
  readonly left: readonly string[];
}

/**
 * Processes that ask for one lock; after each call to the file system chance says whose turn it is, and who dies there.
 */
class World {
  readonly #random: () => number;
  readonly #files = memoryHost().files;
  readonly #dead = new Set<number>();
  readonly #inside = new Set<number>();
  #turns: { readonly pid: number; readonly go: () => void }[] = [];
  #count = 0;
  #holders = 0;
  #taken = 0;

  constructor(seed: number) {
    this.#random = chance(seed);
  }

  async run(processes: number, rounds: number): Promise<Schedule> {
    await this.#files.write('/lock', '');
    for (let pid = 1; pid <= processes; pid += 1) void this.#work(pid, rounds);
    for (let quiet = 0; quiet < 3;) {
      await new Promise((resolve) => setImmediate(resolve));
      quiet = this.#step() ? 0 : quiet + 1;
    }
    const last = new Claim(this.#files, '/lock', ({ pid }) => this.#dead.has(pid));
    for (let tries = 0; tries < 20; tries += 1) {
      if ((await last.take(this.#record(999))).kind === 'taken') break;
    }
    return {
      holders: this.#holders,
      taken: this.#taken,
      killed: this.#dead.size,
      left: (await this.#files.list('/')).map(({ name }) => name).filter((name) => name.startsWith('lock')),
    };
  }

  #step(): boolean {
    if (this.#turns.length === 0) return false;
    const [next] = this.#turns.splice(Math.floor(this.#random() * this.#turns.length), 1);
    if (!next) return false;
    if (this.#random() < 0.02) {
      this.#dead.add(next.pid);
      this.#inside.delete(next.pid);
    } else next.go();
    return true;
  }

  #turn(pid: number): Promise<void> {
    return new Promise((go) => this.#turns.push({ pid, go }));
  }

  async #work(pid: number, rounds: number): Promise<void> {
    const claim = new Claim(this.#slow(pid), '/lock', (owner) => this.#dead.has(owner.pid));
    for (let round = 0; round < rounds; round += 1) {
      const record = this.#record(pid);
      while ((await claim.take(record)).kind !== 'taken') await this.#turn(pid);
      this.#inside.add(pid);
      this.#taken += 1;
      this.#holders = Math.max(this.#holders, this.#inside.size);
      await this.#turn(pid);
      this.#inside.delete(pid);
      if (!(await claim.giveUp(record.token))) throw new Error('lost');
    }
  }

  #record(pid: number): { token: string; owner: ProcessIdentity; since: string } {
    return {
      token: (this.#count++).toString(16).padStart(32, '0'),
      owner: { host: 'h', machine: 'm', boot: 'b', pid_space: 's', started: '1', pid },
      since: '',
    };
  }

  /** The file system as one process sees it: a turn is waited for before each call and after it. */
  #slow(pid: number): Files {
    return new Proxy(this.#files, {
      get:
        (files, name) =>
        async (...given: readonly unknown[]) => {
          await this.#turn(pid);
          const call = files[name as keyof Files] as (...values: readonly unknown[]) => Promise<unknown>;
          const answer = await call(...given).then(
            (value) => ({ value }),
            (error: unknown) => ({ error }),
          );
          await this.#turn(pid);
          if ('error' in answer) throw answer.error;
          return answer.value;
        },
    });
  }
}

it('in every order of calls, and whoever dies between two of them, one process holds the lock at a time, and the next cleans up', async () => {
  const count = process.env['SVC_TEST_FULL'] ? 20_000 : 600;
  let killed = 0;
  let taken = 0;
  for (let seed = 1; seed <= count; seed += 1) {
    const schedule = await new World(seed).run(4, 3);
    expect(schedule.holders, `seed ${seed}`).toBeLessThanOrEqual(1);
    expect(schedule.left, `seed ${seed}`).toEqual(['lock', 'lock.held']);
    killed += schedule.killed;
    taken += schedule.taken;
  }
  expect([killed > count / 2, taken > count * 3]).toEqual([true, true]);
}, 600_000);
