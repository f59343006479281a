import type { Monitors } from '#runtime/services/integrity/port.ts';
import type { Schedule } from '#runtime/services/schedule/port.ts';
import type { Watchers } from '#runtime/services/watch/port.ts';
import * as fail from '#schemas/generated/failures.ts';

/** Jobs that go on behind the step that began them, as a unit sees them: given its own, it may see those of others. */
export interface JobsOfUnit {
  watch(own: Watchers): Watchers;
  schedule(own: Schedule): Schedule;
  integrity(own: Monitors): Monitors;
}

/** Jobs of one call among those of its caller, until it leaves. */
export interface JoinedJobs extends JobsOfUnit {
  leave(): void;
}

/** The jobs of all calls of a caller: a later call lists and ends what an earlier one began. */
export class JobsOfCalls {
  readonly #watch = new Jobs<Watchers>();
  readonly #schedule = new Jobs<Schedule>();
  readonly #integrity = new Jobs<Monitors>();

  join(): JoinedJobs {
    const leaving: (() => void)[] = [];
    return {
      watch: (own) => {
        leaving.push(this.#watch.add(own));
        return joinedWatchers(own, this.#watch);
      },
      schedule: (own) => {
        leaving.push(this.#schedule.add(own));
        return joinedSchedule(own, this.#schedule);
      },
      integrity: (own) => {
        leaving.push(this.#integrity.add(own));
        return joinedMonitors(own, this.#integrity);
      },
      leave: () => leaving.forEach((each) => each()),
    };
  }
}

/** The jobs of one kind, by the units that began them. */
class Jobs<Port extends { list(): readonly { readonly name: string }[] }> {
  readonly #all = new Set<Port>();
  /** Names of jobs that are about to be listed. */
  readonly #starting = new Set<string>();

  /** Adds jobs of one port; the function that it yields takes them away again. */
  add(own: Port): () => void {
    this.#all.add(own);
    return () => void this.#all.delete(own);
  }

  get all(): readonly Port[] {
    return [...this.#all];
  }

  /** Whether a job has this name, or is just being started by it. */
  isTaken(name: string): boolean {
    return this.#starting.has(name) || this.with(name) !== undefined;
  }

  /** Starts a job, whose name is taken meanwhile. */
  async start<Started>(name: string, start: () => Promise<Started>): Promise<Started> {
    this.#starting.add(name);
    try {
      return await start();
    } finally {
      this.#starting.delete(name);
    }
  }

  /** Those among which one has this name; undefined where none has. */
  with(name: string): Port | undefined {
    return this.all.find((port) => port.list().some((each) => each.name === name));
  }
}

function joinedWatchers(own: Watchers, jobs: Jobs<Watchers>): Watchers {
  return {
    start: async (watcher, signal) => {
      const { name } = watcher;
      if (jobs.isTaken(name)) throw fail.watcherExists({ name });
      return await jobs.start(name, () => own.start(watcher, signal));
    },
    stop: (name, by) => (jobs.with(name) ?? own).stop(name, by),
    list: () => jobs.all.flatMap((each) => each.list()),
  };
}

function joinedSchedule(own: Schedule, jobs: Jobs<Schedule>): Schedule {
  return {
    add: (job) => {
      if (jobs.with(job.name)) throw fail.scheduleExists({ name: job.name });
      return own.add(job);
    },
    remove: (name) => (jobs.with(name) ?? own).remove(name),
    removeAll: () => jobs.all.flatMap((each) => each.removeAll()),
    list: () => jobs.all.flatMap((each) => each.list()),
  };
}

function joinedMonitors(own: Monitors, jobs: Jobs<Monitors>): Monitors {
  return {
    start: (name, monitor, calls) => (jobs.with(name) ?? own).start(name, monitor, calls),
    stop: (name) => (jobs.with(name) ?? own).stop(name),
    stopAll: async () => (await Promise.all(jobs.all.map((each) => each.stopAll()))).flat(),
    list: () => jobs.all.flatMap((each) => each.list()),
    warn: (text) => own.warn(text),
  };
}
