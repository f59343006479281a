import type { RunEvent } from '#schemas/types/run-event.ts';

/** Events that wait for their reader at most; the end of a file and of the run is kept beyond it. */
const MOST = 4096;
/** Bytes of pictures and texts beside them. */
const MOST_BYTES = 32 * 1024 * 1024;

export interface QueueLimits {
  readonly most?: number;
  readonly mostBytes?: number;
}

/**
 * Keeps the events of a run until their one reader takes them. A run waits for nobody, so that the queue is bounded:
 * what finds no room is left out, and a notice stands where it would have been, with the number of events.
 */
export class EventQueue implements AsyncIterable<RunEvent> {
  readonly #most: number;
  readonly #mostBytes: number;
  #waiting: RunEvent[] = [];
  #bytes = 0;
  #leftOut = 0;
  #wake: (() => void) | undefined;
  #isEnded = false;
  #isLeft = false;

  constructor({ most = MOST, mostBytes = MOST_BYTES }: QueueLimits = {}) {
    this.#most = most;
    this.#mostBytes = mostBytes;
  }

  add(event: RunEvent): void {
    if (this.#isLeft) return;
    const isEnd = event.kind === 'unit-finished' || event.kind === 'run-finished';
    const bytes = bytesOf(event);
    if (!isEnd && (this.#waiting.length >= this.#most || this.#bytes + bytes > this.#mostBytes)) {
      this.#leftOut++;
      return;
    }
    this.#mark();
    this.#waiting.push(event);
    this.#bytes += bytes;
    this.#wake?.();
  }

  end(): void {
    this.#mark();
    this.#isEnded = true;
    this.#wake?.();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<RunEvent> {
    try {
      for (;;) {
        const ready = this.#waiting;
        this.#waiting = [];
        this.#bytes = 0;
        yield* ready;
        if (this.#waiting.length > 0) continue;
        if (this.#isEnded) return;
        await new Promise<void>((resolve) => (this.#wake = resolve));
      }
    } finally {
      // Nobody reads any more: nothing is kept.
      this.#isLeft = true;
      this.#waiting = [];
    }
  }

  /** Says that something is missing here. */
  #mark(): void {
    if (this.#leftOut === 0) return;
    const text = `${this.#leftOut} events were left out here: they were not read in time`;
    this.#waiting.push({ kind: 'notice', level: 'warning', text });
    this.#leftOut = 0;
  }
}

/** Bytes that an event holds beside its record, as far as they can be many. */
function bytesOf(event: RunEvent): number {
  if (event.kind !== 'step-finished') return 0;
  return event.evidence.reduce((sum, one) => {
    switch (one.kind) {
      case 'picture':
        return sum + one.bytes.length;
      case 'text':
        return sum + one.text.length;
      case 'http':
        return sum + (one.request.body?.length ?? 0) + (one.response?.body?.length ?? 0);
      case 'file':
        return sum;
    }
  }, 0);
}
