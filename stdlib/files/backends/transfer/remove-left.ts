import type { Backend } from '../backend.ts';
import { joinRemote } from '../remote-path.ts';
import type { TransferTools } from './job.ts';

/** Time (ms) that is spent on what others have left before the transfer itself begins. */
const LONGEST = 10_000;

/**
 * Removes at a service what runs of this project have left there that died: parts of files, and uploads that nobody
 * went on with for a week. What cannot be removed now is left to the next transfer.
 */
export async function removeLeft({ uploads, transfer }: TransferTools, backend: Backend): Promise<void> {
  const left = await uploads?.left(backend.place).catch(() => undefined);
  if (!left || left.uploads.length + left.parts.length === 0) return;
  const options = { signal: AbortSignal.any([transfer.signal, AbortSignal.timeout(LONGEST)]) };
  try {
    for (const { folder, mark, forget } of left.parts) {
      for (const path of await partsIn(backend, folder, mark, options.signal)) await backend.remove(path, options);
      await forget();
    }
    for (const { path, note, forget } of left.uploads) {
      await backend.abandon?.(path, note, options);
      await forget();
    }
  } catch {
    transfer.signal.throwIfAborted();
  }
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
