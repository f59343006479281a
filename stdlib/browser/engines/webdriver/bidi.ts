import { isList, isObject } from '#schemas/types/json.ts';

import { within } from '../shared/abortable.ts';
import type { LogEntry } from './port.ts';

/** Longest wait (ms) for the connection and for an answer. */
const answerMs = 5000;
/** Entries that are kept; the oldest go first. */
const kept = 10_000;
const events = ['log.entryAdded'] as const;
/** Levels of the protocol in the words of drivers' logs. */
const levels: Readonly<Record<string, string>> = { error: 'SEVERE', warn: 'WARNING', info: 'INFO', debug: 'DEBUG' };

/**
 * The bidirectional channel of a session: hears what the pages say in their consoles, and errors that nothing caught.
 */
export class Bidi {
  readonly #socket: WebSocket;
  readonly #answers = new Map<number, (answer: Readonly<Record<string, unknown>>) => void>();
  #count = 0;
  #entries: LogEntry[] = [];

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.addEventListener('message', ({ data }) => this.#hear(String(data)));
  }

  /** Connects and begins to hear. Rejects where the driver does not take part. */
  static async open(url: string, signal: AbortSignal): Promise<Bidi> {
    const socket = new WebSocket(url);
    const channel = new Bidi(socket);
    const opened = new Promise<boolean>((resolve) => {
      socket.addEventListener('open', () => resolve(true), { once: true });
      for (const end of ['error', 'close']) socket.addEventListener(end, () => resolve(false), { once: true });
      signal.addEventListener('abort', () => resolve(false), { once: true });
    });
    try {
      if ((await within(opened, answerMs)) !== true) throw new Error('the driver offers a channel that does not open');
      await channel.#ask('session.subscribe', { events });
      return channel;
    } catch (error) {
      channel.close();
      throw error;
    }
  }

  /** Takes what was heard, up to this moment. */
  async take(): Promise<readonly LogEntry[]> {
    // Events and answers come in one order: those of before are here when the answer is.
    await this.#ask('session.status', {}).catch(() => undefined);
    const entries = this.#entries;
    this.#entries = [];
    return entries;
  }

  /** Gives a script to each document that a window opens from now on, before its own. Resolves with what ends that. */
  async addScript(window: string, source: string): Promise<() => Promise<void>> {
    const { script } = await this.#ask('script.addPreloadScript', {
      functionDeclaration: `() => {${source}\n}`,
      contexts: [window],
    });
    return async () => void (await this.#ask('script.removePreloadScript', { script }));
  }

  close(): void {
    this.#socket.close();
  }

  async #ask(method: string, params: Readonly<Record<string, unknown>>): Promise<Readonly<Record<string, unknown>>> {
    const id = ++this.#count;
    const answered = new Promise<Readonly<Record<string, unknown>>>((resolve) => this.#answers.set(id, resolve));
    this.#socket.send(JSON.stringify({ id, method, params }));
    const answer = await within(answered, answerMs);
    this.#answers.delete(id);
    if (answer?.['type'] === 'success') return isObject(answer['result']) ? answer['result'] : {};
    throw new Error(`${method}: ${answer ? String(answer['message']) : 'no answer'}`);
  }

  #hear(text: string): void {
    const said: unknown = JSON.parse(text);
    if (!isObject(said)) return;
    const { id, method, params } = said;
    if (typeof id === 'number') this.#answers.get(id)?.(said);
    const entry = isObject(params) ? entryOf(String(method), params) : undefined;
    if (entry) this.#entries.push(entry);
    if (this.#entries.length > kept) this.#entries.shift();
  }
}

function entryOf(event: string, params: Readonly<Record<string, unknown>>): LogEntry | undefined {
  if (event !== 'log.entryAdded') return undefined;
  const timestamp = typeof params['timestamp'] === 'number' ? params['timestamp'] : 0;
  const level = levels[String(params['level'])] ?? 'INFO';
  return { level, message: `${placeOf(params)}${String(params['text'] ?? '')}`, timestamp };
}

/** Address, line and column of the topmost call, counted from 1; empty where it is not known. */
function placeOf({ stackTrace }: Readonly<Record<string, unknown>>): string {
  const frames = isObject(stackTrace) ? stackTrace['callFrames'] : undefined;
  const frame: unknown = isList(frames) ? frames[0] : undefined;
  if (!isObject(frame) || typeof frame['url'] !== 'string' || frame['url'] === '') return '';
  return `${frame['url']} ${Number(frame['lineNumber']) + 1}:${Number(frame['columnNumber']) + 1} `;
}
