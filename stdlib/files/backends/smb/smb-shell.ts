import type { Clock, ProcessEnd, StartedProcess } from '#schemas/types/host.ts';

/**
 * Time (ms) after a command before its mark: two lines that come at once are read as one piece, and the second waits.
 */
const MARK_AFTER_MS = 3;
/** Words of the program when it has signed in and begins to read commands. */
const GREETING = 'Try "help" to get a list of possible commands.';
/** Time (ms) after which a program that does not greet is taken for one that reads. */
const SILENT_MS = 5000;
/** Time (ms) after which a mark that waits in the program's buffer is pushed on by another line. */
const PUSH_AFTER_MS = 80;
/** The most text of one answer, for listings. */
const LARGEST = 64 * 1024 * 1024;

export interface SmbAnswer {
  readonly text: string;
  /** Present where the program has ended. */
  readonly end?: ProcessEnd;
}

/** One run of `smbclient` that answers one question after the other, over one connection. */
export class SmbShell {
  /** Whether it has answered something. */
  isUsed = false;
  /** Nothing more can be asked of it. */
  isOver = false;
  readonly #child: StartedProcess;
  readonly #clock: Clock;
  readonly #lines: Lines;
  #text = '';
  #heard: () => void = () => undefined;
  #isGreeted = false;
  #greeted: () => void = () => undefined;

  constructor(start: (input: AsyncIterable<Uint8Array>) => StartedProcess, clock: Clock) {
    this.#lines = new Lines();
    this.#child = start(this.#lines.bytes());
    this.#clock = clock;
    void this.#listen();
    void this.#drain();
  }

  /**
   * Asks and waits for the whole answer. A listing says by itself where it ends; behind anything else stands a mark.
   */
  async ask(command: string, mark: string): Promise<SmbAnswer> {
    this.#text = '';
    this.#lines.push(command);
    const isListing = command.startsWith('ls ');
    const stop = isListing ? () => undefined : this.#markBehind(mark);
    try {
      const isWhole = isListing
        ? endsListing
        : (text: string): boolean => text.includes(`${mark}: command not found\n`);
      while (!this.isOver && !isWhole(this.#text)) await new Promise<void>((resolve) => (this.#heard = resolve));
    } finally {
      stop();
    }
    this.isUsed = true;
    const text = this.#text;
    return this.isOver && !(isListing && endsListing(text)) ? { text, end: await this.#child.ended } : { text };
  }

  end(): void {
    this.isOver = true;
    this.#lines.end();
    this.#child.kill();
    this.#heard();
  }

  /**
   * Writes the mark behind a command, and pushes it on where the program has taken both at once; then it is not asked
   * again. Its time begins when the program reads: both would wait together until it has signed in.
   */
  #markBehind(mark: string): () => void {
    const push = (): void => {
      this.#isPushed = true;
      this.#lines.push('');
      cancel = this.#clock.timer(PUSH_AFTER_MS, push);
    };
    const write = (): void => {
      this.#lines.push(mark);
      cancel = this.#clock.timer(PUSH_AFTER_MS, push);
    };
    let cancel = this.#clock.timer(this.#isGreeted ? MARK_AFTER_MS : SILENT_MS, write);
    this.#greeted = () => {
      cancel();
      cancel = this.#clock.timer(MARK_AFTER_MS, write);
    };
    return () => {
      this.#greeted = () => undefined;
      cancel();
    };
  }

  /** Lines of ours may wait in its buffer. */
  #isPushed = false;

  /** Whether the next question can be asked of it. */
  get isReady(): boolean {
    return !this.isOver && !this.#isPushed;
  }

  /** Answers stand on the other stream. */
  async #drain(): Promise<void> {
    try {
      for await (const _ of this.#child.streams?.output ?? []);
    } catch {
      // It was ended.
    }
  }

  async #listen(): Promise<void> {
    const decoder = new TextDecoder();
    try {
      for await (const piece of this.#child.streams?.errors ?? []) {
        this.#text += decoder.decode(piece, { stream: true });
        if (this.#text.length > LARGEST) this.end();
        if (!this.#isGreeted && this.#text.includes(GREETING)) {
          this.#isGreeted = true;
          this.#greeted();
        }
        this.#heard();
      }
    } catch {
      // It was ended: why is said by its end.
    }
    await this.#child.ended;
    this.#child.release();
    this.isOver = true;
    this.#lines.end();
    this.#heard();
  }
}

/**
 * Whether the last line is that behind a listing, or a status that stands in its place. Names begin with two blanks.
 */
function endsListing(text: string): boolean {
  if (!text.endsWith('\n')) return false;
  const last = text.slice(text.lastIndexOf('\n', text.length - 2) + 1);
  return /^\t\t\d+ blocks of size \d+\./.test(last) || (!last.startsWith(' ') && last.includes('NT_STATUS_'));
}

/** Lines that are read as they come. */
class Lines {
  readonly #waiting: Uint8Array[] = [];
  #isEnded = false;
  #wake: () => void = () => undefined;

  push(line: string): void {
    this.#waiting.push(new TextEncoder().encode(`${line}\n`));
    this.#wake();
  }

  end(): void {
    this.#isEnded = true;
    this.#wake();
  }

  async *bytes(): AsyncGenerator<Uint8Array, void> {
    for (;;) {
      const next = this.#waiting.shift();
      if (next) yield next;
      else if (this.#isEnded) return;
      else await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }
}
