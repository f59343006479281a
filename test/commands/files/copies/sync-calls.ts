import { mkdir, readdir, readFile, readlink, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { FA_sync_dir } from '#stdlib/files/copies/sync/sync.ts';

import { call, type Place } from '../call-here.ts';

type Content = string | null;

export interface Options {
  readonly src?: string;
  readonly dst?: string;
  readonly compare?: 'size_mtime' | 'checksum';
  readonly delete?: boolean;
  readonly dry_run?: boolean;
  readonly max_delete?: number | null;
  readonly include?: string | readonly string[] | null;
  readonly exclude?: string | readonly string[] | null;
}

export const plain = {
  compare: 'size_mtime',
  delete: false,
  dry_run: false,
  max_delete: null,
  include: null,
  exclude: null,
  progress_name: null,
} as const;

/** Trees below `s` (source) and `t` (target) in the place of the test that runs, which is asked for at each call. */
export function syncCalls(here: () => Place) {
  /** Makes files; null: an empty folder. */
  async function make(files: Readonly<Record<string, Content>>, seconds = 1_600_000_000): Promise<void> {
    const place = here();
    for (const [name, content] of Object.entries(files)) {
      await mkdir(content === null ? place.path(name) : dirname(place.path(name)), { recursive: true });
      if (content === null) continue;
      await writeFile(place.path(name), content);
      await utimes(place.path(name), seconds, seconds);
    }
  }

  async function sync(options: Options = {}) {
    const params = { src: here().path('s'), dst: here().path('t'), ...plain, ...options };
    return call(FA_sync_dir, here(), params);
  }

  /** Every file and link below a folder; a link as `-> text`, an empty folder as null. */
  async function tree(folder: string, prefix = ''): Promise<Record<string, Content>> {
    const found: Record<string, Content> = {};
    for (const entry of await readdir(here().path(folder), { withFileTypes: true })) {
      const path = here().path(folder, entry.name);
      if (entry.isDirectory())
        Object.assign(
          found,
          { [`${prefix}${entry.name}`]: null },
          await tree(join(folder, entry.name), `${prefix}${entry.name}/`),
        );
      else
        found[prefix + entry.name] = entry.isSymbolicLink()
          ? `-> ${await readlink(path)}`
          : entry.isFile()
            ? await readFile(path, 'utf8')
            : entry.isFIFO()
              ? 'pipe'
              : 'other';
    }
    return found;
  }

  return { make, sync, tree };
}
