import type { MessagePort } from 'node:worker_threads';

import { nodeHost } from '#runtime/hosts/node.ts';
import type { ActionCheck } from '#runtime/kernel/ports.ts';
import type { Files, Host } from '#schemas/types/host.ts';
import type { Json } from '#schemas/types/json.ts';

import { answerOn, type FileWork } from '../callers/files.ts';
import { plainPlace } from '../worker/plain-place.ts';
import { carriedError, errorOf, type CarriedError } from './carried-error.ts';
import {
  checkList,
  compileLists,
  type ListAround,
  type ListPlan,
  type ListsMade,
  type ListWork,
} from './compile-list.ts';
import { lookAtActions, type Look, type Looked } from './look-at-actions.ts';

/** Lists to compile, a list whose mistakes are sought, a file that an assistant asks about, or a look of a command. */
export type ThreadTask =
  | { readonly lists: ListWork }
  | { readonly checked: { readonly content: string; readonly around: ListAround } }
  | { readonly file: FileWork }
  | { readonly look: Look };

/** Work of a thread, and what it needs of the host. */
export interface ThreadWork {
  readonly task: ThreadTask;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Answers what the compiler asks of the files of the host. */
  readonly files: MessagePort;
}

type Made = ListsMade | ActionCheck | Json | Looked[keyof Looked];

export type ThreadOutcome = { readonly made: Made } | { readonly failed: CarriedError };

/** Calls of files that the compiler makes. */
export const CALLS = ['find', 'realPath', 'readRegular', 'list'] as const;

export interface FilesAsked {
  readonly number: number;
  readonly name: (typeof CALLS)[number];
  readonly given: readonly unknown[];
}

export interface FilesAnswered {
  readonly number: number;
  readonly result?: unknown;
  readonly failed?: CarriedError;
}

/** Does a task in this thread, whose only files are those that it asks for. */
export async function compileInThread({ task, cwd, env, files }: ThreadWork): Promise<ThreadOutcome> {
  const host: Host = { ...nodeHost({ cwd, env }), files: askedFiles(files) };
  try {
    return { made: await done(task, host) };
  } catch (error) {
    return { failed: carriedError(error) };
  } finally {
    files.close();
  }
}

async function done(task: ThreadTask, host: Host): Promise<Made> {
  if ('look' in task) return lookAtActions(task.look, host);
  if ('file' in task) return answerOn(task.file, host);
  if ('checked' in task) return checkList(task.checked.content, task.checked.around, host);
  const { plans, lookedAround } = await compileLists(task.lists, host);
  return { plans: plans.map(plain), lookedAround };
}

function askedFiles(port: MessagePort): Files {
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  let count = 0;
  port.on('message', ({ number, result, failed }: FilesAnswered) => {
    const asked = waiting.get(number);
    waiting.delete(number);
    if (failed) asked?.reject(errorOf(failed));
    else asked?.resolve(result);
  });
  const ask = (name: FilesAsked['name'], given: readonly unknown[]): Promise<unknown> => {
    const asked = Promise.withResolvers<unknown>();
    waiting.set(++count, asked);
    port.postMessage({ number: count, name, given } satisfies FilesAsked);
    return asked.promise;
  };
  return Object.fromEntries(
    CALLS.map((name) => [name, (...given: readonly unknown[]) => ask(name, given)]),
  ) as unknown as Files;
}

/** A place may work out its text when that is asked for. */
function plain({ places, ...plan }: ListPlan): ListPlan {
  return {
    ...plan,
    places: Object.fromEntries(Object.entries(places).map(([id, place]) => [id, plainPlace(place, true)])),
  };
}
