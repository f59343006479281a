import { join, relative } from 'node:path';

import type { Reporter } from '#runtime/kernel/events.ts';
import type { Evidence, RunEvent } from '#schemas/types/run-event.ts';

import { writeOutput } from './write-output.ts';

/** Pictures that one run keeps; further ones stand in its page alone. */
const MOST = 200;

/** Writes the pictures of failed steps into a folder of the run, so that a terminal can say where they are. */
export class KeptPictures {
  readonly #folder: string;
  readonly #cwd: string;
  readonly #bounds: readonly string[];
  readonly #writing: Promise<void>[] = [];
  #last: { readonly told: RunEvent; readonly placed: RunEvent } | undefined;

  constructor(folder: string, { cwd, bounds }: { readonly cwd: string; readonly bounds: readonly string[] }) {
    this.#folder = folder;
    this.#cwd = cwd;
    this.#bounds = bounds;
  }

  get any(): boolean {
    return this.#writing.length > 0;
  }

  /** A reporter that hears where each picture is; it stands there once this reporter has ended. */
  told(reporter: Reporter, showsEvidence: boolean | undefined): Reporter {
    return {
      ...(showsEvidence !== undefined && { showsEvidence }),
      event: (event) => reporter.event(this.#placed(event)),
      end: async () => {
        await reporter.end?.();
        await Promise.all(this.#writing);
      },
    };
  }

  /** The same for every reporter: all hear of an event before the next one comes. */
  #placed(event: RunEvent): RunEvent {
    if (event.kind !== 'step-finished' || !event.evidence.some(({ kind }) => kind === 'picture')) return event;
    if (this.#last?.told !== event)
      this.#last = { told: event, placed: { ...event, evidence: event.evidence.map((piece) => this.#keep(piece)) } };
    return this.#last.placed;
  }

  #keep(piece: Evidence): Evidence {
    if (piece.kind !== 'picture' || this.#writing.length >= MOST) return piece;
    const name = `picture-${this.#writing.length + 1}.${piece.mediaType === 'image/jpeg' ? 'jpg' : 'png'}`;
    const path = join(this.#folder, name);
    // A disk that is full takes no picture; the failure itself is told all the same.
    this.#writing.push(writeOutput(path, piece.bytes, this.#bounds).catch(() => undefined));
    const near = relative(this.#cwd, path);
    return { ...piece, path: near.startsWith('..') ? path : near };
  }
}
