import { fstatSync, statSync, writeSync } from 'node:fs';

import type { TextForm } from '#schemas/types/text-form.ts';

import { outgoing } from '../reporters/outgoing.ts';
import { exitNow } from './foreign-exit.ts';

/**
 * A stream of this process, and the one door for text that leaves it: nobody else writes to standard output or standard
 * error. Files, pipes and the null device are written to by calls that block, as Node does too; its own streams are
 * opened for terminals, and for what is left: they take as long to load as a small run.
 */
class StandardStream {
  readonly #descriptor: 1 | 2;
  readonly #open: () => NodeJS.WriteStream;
  #stream: NodeJS.WriteStream | undefined;
  #isAsked = false;
  #isBroken = false;
  #onBroken: (error: NodeJS.ErrnoException) => void = quitOnClosedPipe;

  constructor(descriptor: 1 | 2, open: () => NodeJS.WriteStream) {
    this.#descriptor = descriptor;
    this.#open = open;
  }

  get isTerminal(): boolean {
    return this.#node()?.isTTY === true;
  }

  get columns(): number {
    return this.#node()?.columns ?? 80;
  }

  /** A terminal, unless NO_COLOR or FORCE_COLOR say otherwise. */
  get isColourful(): boolean {
    const { FORCE_COLOR: forced, NO_COLOR: refused, TERM: terminal } = process.env;
    if (forced !== undefined) return forced !== '0' && forced !== 'false';
    return this.isTerminal && (refused === undefined || refused === '') && terminal !== 'dumb';
  }

  /**
   * Writes text for people, unless `form` says otherwise. A write that a closed pipe refuses (`svc … | head`)
   * ends the process quietly, unless somebody listens.
   */
  write(given: string, form: TextForm = 'people'): void {
    const text = this.#outgoing(given, form);
    const stream = this.#node();
    if (this.#isBroken) return;
    if (stream) return void stream.write(text);
    const bytes = Buffer.from(text);
    let written = 0;
    try {
      while (written < bytes.length) written += writeSync(this.#descriptor, bytes, written);
    } catch (error) {
      this.#failed(error as NodeJS.ErrnoException, bytes.subarray(written));
    }
  }

  /** Has `hear` told of failed writes, which end nothing from now on; the function that it yields takes that back. */
  whenBroken(hear: (error: NodeJS.ErrnoException) => void): () => void {
    this.#onBroken = hear;
    return () => void (this.#onBroken = quitOnClosedPipe);
  }

  #outgoing(text: string, form: TextForm): string {
    if (form === 'file') return this.isTerminal ? this.#outgoing(text, 'people') : text;
    const hasEscapes = form === 'people' && text.includes('\u001b');
    return outgoing(text, form, { colour: hasEscapes && this.isColourful, live: hasEscapes && this.isTerminal });
  }

  /** Calls back when what was written is with the operating system. */
  whenWritten(then: () => void): void {
    if (this.#stream) this.#stream.write('', then);
    else then();
  }

  #node(): NodeJS.WriteStream | undefined {
    if (this.#isAsked) return this.#stream;
    this.#isAsked = true;
    return takesBytes(this.#descriptor) ? undefined : this.#opened();
  }

  #opened(): NodeJS.WriteStream {
    return (this.#stream = this.#open().on('error', (error) => this.#broke(error)));
  }

  #failed(error: NodeJS.ErrnoException, rest: Uint8Array): void {
    // Somebody who shares the pipe has made it one that does not wait.
    if (error.code === 'EAGAIN') return void this.#opened().write(rest);
    process.nextTick(() => this.#broke(error));
    this.#isBroken = true;
  }

  #broke(error: NodeJS.ErrnoException): void {
    this.#isBroken = true;
    this.#onBroken(error);
  }
}

export const standardOutput = new StandardStream(1, () => process.stdout);
export const standardError = new StandardStream(2, () => process.stderr);

function takesBytes(descriptor: number): boolean {
  if (process.platform === 'win32') return false;
  const stats = fstatSync(descriptor);
  if (stats.isFile() || stats.isFIFO() || stats.isSocket()) return true;
  return stats.isCharacterDevice() && stats.rdev === statSync('/dev/null', { throwIfNoEntry: false })?.rdev;
}

function quitOnClosedPipe(error: NodeJS.ErrnoException): void {
  if (error.code === 'EPIPE') exitNow(Number(process.exitCode ?? 0));
  throw error;
}
