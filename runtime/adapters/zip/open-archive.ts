import {
  Reader,
  WARNING_TRAILING_CENTRAL_DIRECTORY_DATA,
  ZipReader,
  configure,
  type Entry,
} from '@zip.js/zip.js/lib/zip-core-custom.js';

import * as fail from '#schemas/generated/failures.ts';
import type { Files, OpenFile } from '#schemas/types/host.ts';

import { archiveFailure } from './archive-failure.ts';
import { hasIdleZip64 } from './idle-zip64.ts';
import { memberOf } from './member.ts';
import type { ZipArchive } from './port.ts';

export interface OpenOptions {
  readonly entries: number;
  /** Password that an earlier command remembered for this archive. */
  readonly password: string | undefined;
}

/** Reads the list of members; the content is read when it is asked for. */
export async function openArchive(
  files: Files,
  path: string,
  { entries: limit, password }: OpenOptions,
): Promise<ZipArchive> {
  const found = await files.find(path);
  if (found?.kind !== 'file') throw fail.fileNotFound({ path });
  // Worker threads gain nothing here, and their scripts are no part of a bundled program.
  configure({ useWebWorkers: false });
  const file = await files.open(path);
  try {
    const entries = await listEntries(file, path, limit);
    const members = entries.map((entry) => memberOf(entry, { path, password }));
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
  if (entries.length > limit) throw fail.archiveTooManyMembers({ path, limit });
  // Programs that do not go by the number of members would find more of them.
  const rest = reader.warnings?.find(({ reason }) => reason === WARNING_TRAILING_CENTRAL_DIRECTORY_DATA);
  if (rest !== undefined && !(await hasIdleZip64(file, entries)))
    throw fail.zipBroken({ path, cause: new Error('its list goes on behind the last member that it counts') });
  return entries;
}

/** Small pieces are taken from a block of this size around them: members lie side by side. */
const BLOCK = 256 * 1024;

class FileReader extends Reader<OpenFile> {
  readonly #file: OpenFile;
  #block: { readonly from: number; readonly bytes: Promise<Uint8Array> } | undefined;

  constructor(file: OpenFile) {
    super(file);
    this.#file = file;
    this.size = file.size;
  }

  override async readUint8Array(index: number, length: number): Promise<Uint8Array> {
    const wanted = Math.max(0, Math.min(length, this.size - index));
    if (wanted >= BLOCK / 2) return this.#file.readAt(index, wanted);
    let block = this.#block;
    if (block === undefined || index < block.from || index + wanted > block.from + BLOCK) {
      block = { from: index, bytes: this.#file.readAt(index, Math.min(BLOCK, this.size - index)) };
      this.#block = block;
    }
    return (await block.bytes).slice(index - block.from, index - block.from + wanted);
  }
}
