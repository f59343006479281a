import type { Entry, ListOptions } from './backend.ts';

/** The page of a folder, with `deep` also those of all folders below it; `pageOf` asks for one folder. */
export async function* pagesBelow(
  path: string,
  { deep, enters = () => true }: Pick<ListOptions, 'deep' | 'enters'>,
  pageOf: (folder: string) => Promise<readonly Entry[]>,
): AsyncGenerator<readonly Entry[], void> {
  const waiting = [path];
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    const page = await pageOf(folder);
    if (deep) for (const entry of page) if (entry.kind === 'folder' && enters(entry.path)) waiting.push(entry.path);
    yield page;
  }
}
