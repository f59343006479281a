import { resolve } from 'node:path';

import type { PortContext, Provider } from '#runtime/kernel/ports.ts';
import type { StepObserver } from '#runtime/kernel/step-observer.ts';
import * as fail from '#schemas/generated/failures.ts';
import type { JsonObject } from '#schemas/types/json.ts';
import type { RunRecord } from '#schemas/types/record.ts';
import { counted } from '#grammar/source/counted.ts';

import type { AuditLog } from './audit-log.ts';
import { openLog, unusable } from './open-log.ts';
import type { Audit, AuditEntry } from './port.ts';
import { RowWriter } from './writer.ts';

export const provider: Provider<'audit'> = {
  open: (context) => {
    const service = new AuditService(context);
    context.release(() => service.end());
    context.eachRow(() => service.save());
    return service;
  },
};

/** Interval (ms), while rows are written, of the check that the file is still in its place. */
const LOOK_MS = 5000;

interface Open {
  readonly log: AuditLog;
  readonly path: string;
  readonly actor: string | null;
  /** Identity of the file. */
  readonly file: string;
  readonly writer: RowWriter;
  readonly leave: () => void;
}

class AuditService implements Audit {
  readonly #context: PortContext;
  #open: Open | undefined;
  #lookedAt = 0;
  #looking: Promise<void> = Promise.resolve();

  constructor(context: PortContext) {
    this.#context = context;
  }

  async open(path: string, actor: string | null): Promise<{ readonly db_path: string; readonly count: number }> {
    const { host, folders } = this.#context;
    const full = resolve(folders.cwd, path);
    const { log, count } = await openLog(full, this.#context.masked(actor), host, await this.#context.port('sqlite'));
    const file = await this.#fileAt(full);
    this.close();
    const writer = new RowWriter(log);
    this.#lookedAt = host.clock.monotonic();
    this.#open = { log, path: full, actor, file, writer, leave: this.#context.observe(this.#observer(log, writer)) };
    return { db_path: full, count };
  }

  /** Remembers which log is open; what it yields opens that one again, and no other. */
  save(): () => Promise<void> {
    const before = this.#open;
    return async () => {
      await this.#looking;
      if (this.#open?.path === before?.path && this.#open?.actor === before?.actor) return;
      if (before) await this.open(before.path, before.actor);
      else this.close();
    };
  }

  /** Closes the log at the end of the unit. */
  async end(): Promise<void> {
    await this.#looking;
    this.close();
  }

  close(): boolean {
    const open = this.#open;
    if (!open) return false;
    this.#open = undefined;
    open.leave();
    const lost = open.writer.end();
    if (lost > 0)
      this.#context.notice(
        'warning',
        fail.auditUnusable({ path: open.path, reason: `${counted(lost, 'row')} could not be written` }).message,
      );
    open.log.close();
    return true;
  }

  record({ action, actor = null, detail = {}, ...facts }: AuditEntry): number {
    const { masked } = this.#context;
    return this.#with(({ log }) =>
      log.write(log.prepare({ action: masked(action), actor: masked(actor), detail: masked(detail), ...facts })),
    );
  }

  recent(...given: Parameters<Audit['recent']>): ReturnType<Audit['recent']> {
    return this.#with(({ log }) => log.recent(...given));
  }

  count(...given: Parameters<Audit['count']>): number {
    return this.#with(({ log }) => log.count(...given));
  }

  purge(olderThanSeconds: number): number {
    return this.#with(({ log }) => log.purge(olderThanSeconds));
  }

  #observer(log: AuditLog, writer: RowWriter): StepObserver {
    return {
      ended: (_step, record, args) => {
        if (record.status !== 'passed' && record.status !== 'failed') return;
        this.#lookNow();
        writer.add(
          log.prepare({
            action: record.command,
            status: record.status === 'passed' ? 'ok' : 'error',
            duration_ms: record.duration_ms,
            detail: detailOf(record, args() as JsonObject | undefined),
          }),
        );
      },
    };
  }

  #lookNow(): void {
    const open = this.#open;
    const now = this.#context.host.clock.monotonic();
    if (!open || now - this.#lookedAt < LOOK_MS) return;
    this.#lookedAt = now;
    this.#looking = this.#looking.then(() => this.#lookAt(open));
  }

  /**
   * Rows in a file that was removed or replaced are seen by nobody: this says so, and goes on in the one that is there
   * now.
   */
  async #lookAt(open: Open): Promise<void> {
    const { path, actor, file } = open;
    if ((await this.#fileAt(path)) === file || this.#open !== open) return;
    const tell = (reason: string): void =>
      this.#context.notice('warning', fail.auditUnusable({ path, reason }).message);
    tell(
      'it was removed or replaced while it was open; rows of the last seconds may be missing, further ones go into the file that is there now',
    );
    this.close();
    await this.open(path, actor).catch((error: unknown) =>
      tell(error instanceof Error ? error.message : String(error)),
    );
  }

  async #fileAt(path: string): Promise<string> {
    const found = await this.#context.host.files.find(path);
    return found ? `${found.dev}:${found.ino}` : '';
  }

  #with<T>(work: (open: Open) => T): T {
    const open = this.#open;
    if (!open) throw fail.auditClosed({});
    try {
      return work(open);
    } catch (error) {
      throw unusable(open.path, error);
    }
  }
}

function detailOf({ run, id, row, result, error }: RunRecord, args: JsonObject | undefined): JsonObject {
  return {
    payload: args ?? {},
    ...(error ? { error: { type: error.name, message: error.message } } : { result: result ?? null }),
    run,
    step: id,
    ...(row !== undefined && { row }),
  };
}
