import { Reader, ZipReader, configure, type Entry } from '@zip.js/zip.js/lib/zip-core-custom.js';

import * as fail from '#schemas/generated/failures.ts';
import type { Host, OpenFile } from '#schemas/types/host.ts';

import { archiveFailure } from './archive-failure.ts';
import { memberOf } from './member.ts';
import type { ZipArchive } from './port.ts';

export interface OpenOptions {
  readonly entries: number;
  /** What an earlier command remembered for this archive. */
  readonly password: string | undefined;
}

/** Reads the list of members; the content is read when it is asked for. */
export async function openArchive(host: Host, path: string, { entries: limit, password }: OpenOptions): Promise<ZipArchive> {
  const found = await host.files.find(path);
  if (found?.kind !== 'file') throw fail.fileNotFound({ path });
  // Worker threads gain nothing here, and their scripts are no part of a bundled program.
  configure({ useWebWorkers: false });
  const file = await host.files.open(path);
  try {
    const entries = await listEntries(file, path, limit);
    const members = entries.map((entry) => memberOf(entry, { path, platform: host.platform, password }));
    return { members, close: () => file.close() };
  } catch (error) {
    await file.close();
    throw error;
  }
}

async function listEntries(file: OpenFile, path: string, limit: number): Promise<readonly Entry[]> {
  // Names are judged where they would become files, so that a listing shows also those that are refused there.
  const reader = new ZipReader(new FileReader(file), { filenameValidation: 'tolerant' });
  const entries: Entry[] = [];
  try {
    for await (const entry of reader.getEntriesGenerator()) {
      entries.push(entry);
      if (entries.length > limit) break;
    }
  } catch (cause) {
    throw archiveFailure(cause, { path });
  }
  if (entries.length > limit) throw fail.zipTooManyMembers({ path, limit });
  return entries;
}

class FileReader extends Reader<OpenFile> {
  readonly #file: OpenFile;

  constructor(file: OpenFile) {
    super(file);
    this.#file = file;
    this.size = file.size;
  }

  override readUint8Array(index: number, length: number): Promise<Uint8Array> {
    return this.#file.readAt(index, Math.min(length, this.size - index));
  }
}
