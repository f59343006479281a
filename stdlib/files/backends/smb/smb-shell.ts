import type { Clock, ProcessEnd, StartedProcess } from '#schemas/types/host.ts';

/**
 * Time (ms) after a command before its mark: two lines that come at once are read as one piece, and the second waits.
 */
const MARK_AFTER_MS = 3;
/** Time (ms) after which a mark that waits in the program's buffer is pushed on by another line. */
const PUSH_AFTER_MS = 80;
/** Time (ms) that content has to arrive in after the mark, which comes by another stream. */
const CONTENT_WITHIN_MS = 500;
/** The most text of one answer, for listings. */
const LARGEST = 64 * 1024 * 1024;

export interface SmbQuestion {
  readonly command: string;
  /** A text that is no command. */
  readonly mark: string;
  /** Size of the content that it fetches; absent: none. */
  readonly fetches?: number | undefined;
}

export interface SmbAnswer {
  readonly text: string;
  /** Content that it fetched, as far as it came. */
  readonly content: Uint8Array;
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
  #content: Uint8Array[] = [];
  #received = 0;
  #heard: () => void = () => undefined;

  constructor(start: (input: AsyncIterable<Uint8Array>) => StartedProcess, clock: Clock) {
    this.#lines = new Lines();
    this.#child = start(this.#lines.bytes());
    this.#clock = clock;
    void this.#listen();
    void this.#receive();
  }

  /**
   * Asks and waits for the whole answer. A listing says by itself where it ends; behind anything else stands a mark.
   */
  async ask({ command, mark, fetches = 0 }: SmbQuestion): Promise<SmbAnswer> {
    [this.#text, this.#content, this.#received] = ['', [], 0];
    this.#lines.push(command);
    const isListing = command.startsWith('ls ');
    const stop = isListing ? () => undefined : this.#markBehind(mark);
    try {
      const isWhole = isListing
        ? endsListing
        : (text: string): boolean => text.includes(`${mark}: command not found\n`);
      await this.#until(() => isWhole(this.#text));
    } finally {
      stop();
    }
    const failed = this.#text.includes('NT_STATUS_');
    if (fetches > 0 && !failed) await this.#untilReceived(fetches);
    this.isUsed = true;
    const [text, content] = [this.#text, Buffer.concat(this.#content)];
    const end = this.isOver && !(isListing && endsListing(text)) ? { end: await this.#child.ended } : {};
    // Bytes that are missing, or too many, could be taken for the content of the next question.
    if (!failed && this.#received !== fetches) this.end();
    return { text, content, ...end };
  }

  async #until(isDone: () => boolean): Promise<void> {
    while (!this.isOver && !isDone()) await new Promise<void>((resolve) => (this.#heard = resolve));
  }

  async #untilReceived(size: number): Promise<void> {
    let isLate = false;
    const cancel = this.#clock.timer(CONTENT_WITHIN_MS, () => {
      isLate = true;
      this.#heard();
    });
    await this.#until(() => isLate || this.#received >= size);
    cancel();
  }

  end(): void {
    this.isOver = true;
    this.#lines.end();
    this.#child.kill();
    this.#heard();
  }

  /**
   * Writes the mark behind a command, and pushes it on where the program has taken both at once; then it is not asked
   * again.
   */
  #markBehind(mark: string): () => void {
    let cancel = this.#clock.timer(MARK_AFTER_MS, () => {
      this.#lines.push(mark);
      const push = (): void => {
        this.#isPushed = true;
        this.#lines.push('');
        cancel = this.#clock.timer(PUSH_AFTER_MS, push);
      };
      cancel = this.#clock.timer(PUSH_AFTER_MS, push);
    });
    return () => cancel();
  }

  /** Lines of ours may wait in its buffer. */
  #isPushed = false;

  /** Whether the next question can be asked of it. */
  get isReady(): boolean {
    return !this.isOver && !this.#isPushed;
  }

  /** Content alone stands here: answers stand on the other stream. */
  async #receive(): Promise<void> {
    try {
      for await (const piece of this.#child.streams?.output ?? []) {
        this.#content.push(piece);
        this.#received += piece.length;
        if (this.#received > LARGEST) this.end();
        this.#heard();
      }
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
