import { join, relative } from 'node:path';

import type { Reporter } from '#runtime/kernel/events.ts';
import type { RunRecord } from '#schemas/types/record.ts';
import type { Evidence, RunEvent } from '#schemas/types/run-event.ts';

import { writeOutput } from '../write-output.ts';

/** Steps of a kind whose evidence one run keeps; that of further ones stands in its page alone. */
const MOST = 200;

/**
 * Writes the evidence of steps with pictures (page source, console, requests, tree of accessibility too) into folders
 * of the run, one a step, so that a terminal and a record can say where it is. A step that passed has some where it
 * took a picture, or approved one: its folder is no failure's.
 */
export class KeptEvidence {
  readonly #folder: string;
  readonly #cwd: string;
  readonly #bounds: readonly string[];
  readonly #writing: Promise<void>[] = [];
  readonly #kept = new Map<string, readonly string[]>();
  readonly #steps = { failure: 0, passed: 0 };
  #elsewhere = false;
  #last: { readonly told: RunEvent; readonly placed: RunEvent } | undefined;

  constructor(folder: string, { cwd, bounds }: { readonly cwd: string; readonly bounds: readonly string[] }) {
    this.#folder = folder;
    this.#cwd = cwd;
    this.#bounds = bounds;
  }

  get any(): boolean {
    return this.#elsewhere || this.#writing.length > 0;
  }

  /** A reporter that hears where each piece is; it stands there once this reporter has ended. */
  told(reporter: Reporter, showsEvidence: boolean | undefined): Reporter {
    return {
      ...(showsEvidence !== undefined && { showsEvidence }),
      event: (event) => reporter.event(this.placed(event)),
      end: async () => {
        await reporter.end?.();
        await this.written();
      },
    };
  }

  /** Resolves once everything that was placed is written. */
  async written(): Promise<void> {
    await Promise.all(this.#writing);
  }

  /** The record with the paths of its evidence, whose event came before it. */
  linked(record: RunRecord): RunRecord {
    if (this.#kept.size === 0) return record;
    const key = keyOf(record);
    const evidence = this.#kept.get(key);
    this.#kept.delete(key);
    return evidence ? { ...record, evidence } : record;
  }

  /**
   * The event with the paths at which its pieces will stand: the same for every reporter, since all hear of an event
   * before the next one comes. The process of a file under `--isolate` has placed its own.
   */
  placed(event: RunEvent): RunEvent {
    if (event.kind !== 'step-finished' || !event.evidence.some(({ kind }) => kind === 'picture')) return event;
    if (event.evidence.some((piece) => piece.kind === 'picture' && piece.path !== undefined)) {
      this.#elsewhere = true;
      return event;
    }
    if (this.#last?.told !== event) {
      const evidence = this.#keep(event.evidence, event.record.status === 'failed' ? 'failure' : 'passed');
      const paths = evidence.flatMap((piece) => ('path' in piece && piece.kind !== 'file' ? [piece.path ?? ''] : []));
      if (paths.length > 0) this.#kept.set(keyOf(event.record), paths);
      this.#last = { told: event, placed: { ...event, evidence } };
    }
    return this.#last.placed;
  }

  #keep(pieces: readonly Evidence[], kind: 'failure' | 'passed'): readonly Evidence[] {
    if (this.#steps[kind] >= MOST) return pieces;
    const folder = join(this.#folder, `${kind}-${++this.#steps[kind]}`);
    let pictures = 0;
    return pieces.map((piece) => {
      if (piece.kind === 'picture') {
        const name = `picture${++pictures === 1 ? '' : `-${pictures}`}.${piece.mediaType === 'image/jpeg' ? 'jpg' : 'png'}`;
        return { ...piece, path: this.#write(join(folder, name), piece.bytes) };
      }
      if (piece.kind !== 'text' || piece.file === undefined) return piece;
      return { ...piece, path: this.#write(join(folder, piece.file), new TextEncoder().encode(piece.text)) };
    });
  }

  #write(path: string, bytes: Uint8Array): string {
    // A disk that is full takes no picture; the failure itself is told all the same.
    this.#writing.push(writeOutput(path, bytes, this.#bounds).catch(() => undefined));
    const near = relative(this.#cwd, path);
    return near.startsWith('..') ? path : near;
  }
}

function keyOf({ id, row, occurrence }: RunRecord): string {
  return JSON.stringify([id, row, occurrence]);
}
