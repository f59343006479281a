import type { Json } from '#schemas/types/json.ts';

import type { Transport } from './transport.ts';
import { decode, encode } from './wire.ts';

/** Longest message that is sent or taken, in characters. */
const LONGEST = 128 * 1024 * 1024;
/** Characters that wait for a slow reader before what can be left out is. */
const MOST_WAITING = 32 * 1024 * 1024;

export interface ChannelOptions<In> {
  /** A message as it arrived, or why it is none. */
  readonly check: (message: Json) => In | Unfit;
  readonly longest?: number;
  readonly mostWaiting?: number;
}

/** Reason why something that arrived is no message. */
export interface Unfit {
  readonly unfit: string;
}

/** Messages over a transport: one line of JSON each, checked when they arrive, bounded in length both ways. */
export class Channel<Out, In> {
  readonly #transport: Transport;
  readonly #check: ChannelOptions<In>['check'];
  readonly #longest: number;
  readonly #mostWaiting: number;
  #listener: ((message: In) => void) | undefined;
  #pieces: string[] = [];
  #length = 0;
  #waiting: string[] = [];
  #waitingLength = 0;
  #sending: Promise<void> | undefined;
  #broken: string | undefined;

  /**
   * Resolves when nothing more arrives, behind all that did: with the reason where it did not end between two messages.
   */
  readonly ended: Promise<string | undefined>;

  constructor(transport: Transport, { check, longest = LONGEST, mostWaiting = MOST_WAITING }: ChannelOptions<In>) {
    this.#transport = transport;
    this.#check = check;
    this.#longest = longest;
    this.#mostWaiting = mostWaiting;
    this.ended = transport.ended.then(
      () => this.#broken ?? (this.#length > 0 ? 'the last message is cut off' : undefined),
    );
  }

  /** Messages that came before are told first. */
  onMessage(listener: (message: In) => void): void {
    this.#listener = listener;
    this.#transport.onPiece((piece) => this.#take(piece));
  }

  /** Resolves when the message is on its way; one that nobody takes any more is lost. Fails with `MessageTooLong`. */
  async send(message: Out): Promise<void> {
    this.#put(encode(message));
    await this.#sending;
  }

  /** The same of what may be left out: false where it is too long, or where too much waits already. */
  tell(message: Out): boolean {
    if (this.#waitingLength > this.#mostWaiting) return false;
    const line = encode(message);
    if (line.length >= this.#longest) return false;
    this.#put(line);
    return true;
  }

  /** Characters that wait to be taken. */
  get waiting(): number {
    return this.#waitingLength;
  }

  /** Resolves when nothing waits any more. */
  async drained(): Promise<void> {
    await this.#sending;
  }

  close(): void {
    this.#transport.close();
  }

  #put(line: string): void {
    if (line.length >= this.#longest) throw new MessageTooLong(line.length, this.#longest);
    this.#waiting.push(line, '\n');
    this.#waitingLength += line.length + 1;
    this.#sending ??= this.#sendAll();
  }

  /** Sends piece after piece; texts that gather while one is on its way are the next piece. */
  async #sendAll(): Promise<void> {
    while (this.#waiting.length > 0) {
      const piece = this.#waiting.join('');
      this.#waiting = [];
      await this.#transport.send(piece);
      this.#waitingLength -= piece.length;
    }
    this.#sending = undefined;
  }

  #take(piece: string): void {
    let from = 0;
    for (let end = piece.indexOf('\n'); end >= 0 && this.#broken === undefined; end = piece.indexOf('\n', from)) {
      this.#pieces.push(piece.slice(from, end));
      from = end + 1;
      const line = this.#pieces.join('');
      this.#pieces = [];
      this.#length = 0;
      this.#takeLine(line);
    }
    if (this.#broken !== undefined) return;
    const rest = piece.slice(from);
    if (rest === '') return;
    this.#pieces.push(rest);
    this.#length += rest.length;
    if (this.#length >= this.#longest) this.#break(`a message is longer than ${this.#longest} characters`);
  }

  #takeLine(line: string): void {
    if (line.length >= this.#longest) return this.#break(`a message is longer than ${this.#longest} characters`);
    let message: In | Unfit;
    try {
      message = this.#check(decode(line));
    } catch {
      return this.#break('a message is no JSON');
    }
    if (isUnfit(message)) return this.#break(message.unfit);
    this.#listener?.(message);
  }

  #break(reason: string): void {
    this.#broken ??= reason;
    this.#pieces = [];
    this.#transport.close();
  }
}

/** A message that no channel takes; how long it is, and may be, in characters. */
export class MessageTooLong extends Error {
  constructor(length: number, longest: number) {
    super(`it takes ${length} characters, and a message may take ${longest}`);
  }
}

function isUnfit(message: unknown): message is Unfit {
  return typeof message === 'object' && message !== null && 'unfit' in message;
}
