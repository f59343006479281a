import { Failure } from '#schemas/types/failure.ts';

import type { Backend } from '../backend.ts';
import { joinRemote } from '../remote-path.ts';
import type { TransferTools } from './job.ts';

/** Time (ms) that is spent on what others have left before the transfer itself begins. */
const LONGEST = 10_000;

/**
 * Removes at a service what runs of this project have left there that died: parts of files, and uploads that nobody
 * went on with for a week. What cannot be removed now is left to the next transfer, but for what the service refuses to
 * remove at all.
 */
export async function removeLeft({ uploads, transfer }: TransferTools, backend: Backend): Promise<void> {
  const left = await uploads?.left(backend.place).catch(() => undefined);
  if (!left) return;
  const options = { signal: AbortSignal.any([transfer.signal, AbortSignal.timeout(LONGEST)]) };
  const removals = [
    ...left.parts.map(({ folder, mark, forget }) => ({
      forget,
      remove: async () => {
        for (const path of await partsIn(backend, folder, mark, options.signal)) await backend.remove(path, options);
      },
    })),
    ...left.uploads.map(({ path, note, forget }) => ({ forget, remove: () => backend.abandon?.(path, note, options) })),
  ];
  for (const { remove, forget } of removals) {
    try {
      await remove();
      await forget();
    } catch (error) {
      transfer.signal.throwIfAborted();
      if (isRefusal(error)) await forget().catch(() => undefined);
    }
  }
}

/** Whether asking again would bring the same answer. */
function isRefusal(error: unknown): boolean {
  return error instanceof Failure && error.facts.name === 'storage-rejected';
}

async function partsIn(backend: Backend, folder: string, mark: string, signal: AbortSignal): Promise<string[]> {
  const there = folder === '' ? undefined : await backend.stat(folder, { signal });
  if (folder !== '' && there?.kind !== 'folder') return [];
  const found: string[] = [];
  for await (const page of backend.list(folder, { signal }))
    for (const { name } of page)
      if (name.startsWith(`.svc-${mark}`) && name.endsWith('.part')) found.push(joinRemote(folder, name));
  return found;
}
