import { resolve } from 'node:path';
import { MessageChannel, type MessagePort } from 'node:worker_threads';

import { Threads } from '#runtime/hosts/node/threads/threads.ts';
import type { ActionCheck } from '#runtime/kernel/ports.ts';
import type { Files, Host } from '#schemas/types/host.ts';
import type { Json } from '#schemas/types/json.ts';

import { answerOn, type FileWork } from '../callers/files.ts';
import { ownFlags, ownModule } from '../own/command.ts';
import { carriedError, errorOf } from './carried-error.ts';
import { checkList, compileLists, type ListAround, type ListsMade, type ListWork } from './compile-list.ts';
import type { ListCompiler } from './list-rules.ts';
import { lookAtActions, type Look, type Looked } from './look-at-actions.ts';
import type { FilesAnswered, FilesAsked, ThreadOutcome, ThreadTask, ThreadWork } from './lists-in-thread.ts';

/**
 * Longest list, in characters of its text or bytes of its files, that is compiled between other work: it holds the
 * event loop for some 30 ms. Larger ones take up to seconds.
 */
const LARGE = 16 * 1024;

/** Time (ms) for which a thread waits for the next list before it ends. */
const IDLE_MS = 10_000;

/**
 * Compiles large lists in a thread, and looks there at large files, so that the event loop goes on; small ones at once,
 * for a thread costs more. A call whose signal is aborted ends the thread.
 */
export class ListThreads implements ListCompiler {
  /** One at a time: a list of a megabyte takes up to 300 MB while it is compiled. */
  readonly #threads = new Threads<ThreadWork, ThreadOutcome>(textOfThread, { flags: ownFlags, most: 1 });
  #stopWaiting: (() => void) | undefined;

  async compile(work: ListWork, host: Host, signal?: AbortSignal): Promise<ListsMade> {
    if ((await sizeOf(work.given, host)) <= LARGE) return compileLists(work, host);
    return this.#inThread({ lists: work }, host, signal) as Promise<ListsMade>;
  }

  async check(content: string, around: ListAround, host: Host, signal?: AbortSignal): Promise<ActionCheck> {
    if (content.length <= LARGE) return checkList(content, around, host);
    return this.#inThread({ checked: { content, around } }, host, signal) as Promise<ActionCheck>;
  }

  /** As `answerOn` does; rejects with the signal's reason when it is aborted. */
  async answer(work: FileWork, host: Host, signal?: AbortSignal): Promise<Json> {
    const { root, file } = work;
    if ((await sizeOf(file.content ?? [resolve(root, file.path)], host)) <= LARGE) return answerOn(work, host);
    return this.#inThread({ file: work }, host, signal) as Promise<Json>;
  }

  /** As `lookAtActions` does; rejects with the signal's reason when it is aborted. */
  async look(work: Look, host: Host, signal: AbortSignal): Promise<Looked[keyof Looked]> {
    const given = 'content' in work.of ? work.of.content : [work.of.path];
    if ((await sizeOf(given, host)) <= LARGE) return lookAtActions(work, host);
    return this.#inThread({ look: work }, host, signal) as Promise<Looked[keyof Looked]>;
  }

  /** Ends the thread. */
  close(): void {
    this.#stopWaiting?.();
    this.#threads.close();
  }

  async #inThread(task: ThreadTask, host: Host, signal: AbortSignal | undefined): Promise<unknown> {
    this.#stopWaiting?.();
    const { port1: ours, port2: files } = new MessageChannel();
    answer(ours, host.files);
    try {
      const given: ThreadWork = { task, cwd: host.cwd, env: { ...host.env }, files };
      const outcome = await this.#threads.run(given, { signal, transfer: [files] });
      if ('failed' in outcome) throw errorOf(outcome.failed);
      return outcome.made;
    } finally {
      ours.close();
      this.#stopWaiting?.();
      this.#stopWaiting = host.clock.timer(IDLE_MS, () => this.#threads.endIdle(), { background: true });
    }
  }
}

async function sizeOf(given: ListWork['given'], { files }: Pick<Host, 'files'>): Promise<number> {
  if (typeof given === 'string') return given.length;
  // Whatever cannot be looked at is refused where it is compiled.
  const found = await Promise.all(given.map((path) => files.find(path).catch(() => undefined)));
  return found.reduce((size, file) => size + (file?.size ?? 0), 0);
}

/** Answers a thread out of the files of the host, as they are confined there. */
function answer(port: MessagePort, files: Files): void {
  port.on('message', ({ number, name, given }: FilesAsked) => {
    const call = files[name] as (...given: readonly unknown[]) => Promise<unknown>;
    const send = (answered: Omit<FilesAnswered, 'number'>): void => port.postMessage({ number, ...answered });
    call(...given).then(
      (result) => send({ result }),
      (error: unknown) => send({ failed: carriedError(error) }),
    );
  });
}

function textOfThread(): string {
  return `
  const { parentPort } = process.getBuiltinModule('node:worker_threads');
  const module = import(${JSON.stringify(ownModule)});
  parentPort.on('message', async (work) => {
    const { openListThread } = await module;
    parentPort.postMessage(await (await openListThread())(work));
  });
`;
}
