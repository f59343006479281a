import type { ServedJob } from '#runtime/servers/action-calls.ts';
import type { Monitors, MonitorSnapshot } from '#runtime/services/integrity/port.ts';
import type { JobSnapshot, Schedule } from '#runtime/services/schedule/port.ts';
import type { WatcherSnapshot, Watchers } from '#runtime/services/watch/port.ts';
import * as fail from '#schemas/generated/failures.ts';

/** Jobs that go on behind the step that began them, as a unit sees them: given its own, it may see those of others. */
export interface JobsOfUnit {
  watch(own: Watchers): Watchers;
  schedule(own: Schedule): Schedule;
  integrity(own: Monitors): Monitors;
}

/** Jobs of one call among those of its caller, until it leaves. */
export interface JoinedJobs extends JobsOfUnit {
  /** Jobs that this call has begun, and that go on. */
  own(): readonly ServedJob[];
  leave(): void;
}

/** The jobs of all calls of a caller: a later call lists and ends what an earlier one began. */
export class JobsOfCalls {
  readonly #watch = new Jobs<Watchers>();
  readonly #schedule = new Jobs<Schedule>();
  readonly #integrity = new Jobs<Monitors>();

  join(): JoinedJobs {
    const leaving: (() => void)[] = [];
    const listing: (() => readonly ServedJob[])[] = [];
    return {
      own: () => listing.flatMap((list) => list()),
      watch: (own) => {
        leaving.push(this.#watch.add(own));
        listing.push(() => own.list().map(watched));
        return joinedWatchers(own, this.#watch);
      },
      schedule: (own) => {
        leaving.push(this.#schedule.add(own));
        listing.push(() => own.list().map(scheduled));
        return joinedSchedule(own, this.#schedule);
      },
      integrity: (own) => {
        leaving.push(this.#integrity.add(own));
        listing.push(() => own.list().map(monitored));
        return joinedMonitors(own, this.#integrity);
      },
      leave: () => leaving.forEach((each) => each()),
    };
  }
}

function watched({ name, path, runs, last }: WatcherSnapshot): ServedJob {
  return { kind: 'watch', name, of: path, runs, isFine: last && last.error === undefined };
}

function scheduled({ name, expression, runs, last }: JobSnapshot): ServedJob {
  return { kind: 'schedule', name, of: expression, runs, isFine: last && last.error === undefined };
}

function monitored({ name, manifest_path: of, last_summary: last }: MonitorSnapshot): ServedJob {
  return { kind: 'integrity', name, of, runs: undefined, isFine: last?.ok };
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
