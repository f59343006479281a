import { MessageChannel, type MessagePort } from 'node:worker_threads';

import { Threads } from '#runtime/hosts/node/threads/threads.ts';
import type { Files, Host } from '#schemas/types/host.ts';

import { ownFlags, ownModule } from '../own/command.ts';
import { carriedError, errorOf } from './carried-error.ts';
import { compileLists, type ListsMade, type ListWork } from './compile-list.ts';
import type { FilesAnswered, FilesAsked, ThreadOutcome, ThreadWork } from './lists-in-thread.ts';

/**
 * Longest list, in characters of its text or bytes of its files, that is compiled between other work: it holds the
 * event loop for some 30 ms. Larger ones take up to seconds.
 */
const LARGE = 16 * 1024;

/** Time (ms) for which a thread waits for the next list before it ends. */
const IDLE_MS = 10_000;

/** Compiles large lists in a thread, so that the event loop goes on; small ones at once, for a thread costs more. */
export class ListThreads {
  /** One at a time: a list of a megabyte that is full of mistakes takes a gigabyte while it is compiled. */
  readonly #threads = new Threads<ThreadWork, ThreadOutcome>(textOfThread, { flags: ownFlags, most: 1 });
  #stopWaiting: (() => void) | undefined;

  /** As `compileLists` does; rejects with the signal's reason when it is aborted, and ends the thread then. */
  async compile(work: ListWork, host: Host, signal?: AbortSignal): Promise<ListsMade> {
    if ((await sizeOf(work, host)) <= LARGE) return compileLists(work, host);
    this.#stopWaiting?.();
    const { port1: ours, port2: files } = new MessageChannel();
    answer(ours, host.files);
    try {
      const given: ThreadWork = { work, cwd: host.cwd, env: { ...host.env }, files };
      const outcome = await this.#threads.run(given, { signal, transfer: [files] });
      if ('failed' in outcome) throw errorOf(outcome.failed);
      return outcome.made;
    } finally {
      ours.close();
      this.#stopWaiting?.();
      this.#stopWaiting = host.clock.timer(IDLE_MS, () => this.#threads.endIdle(), { background: true });
    }
  }

  /** Ends the thread. */
  close(): void {
    this.#stopWaiting?.();
    this.#threads.close();
  }
}

async function sizeOf({ given }: ListWork, { files }: Pick<Host, 'files'>): Promise<number> {
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
