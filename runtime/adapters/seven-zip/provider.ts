import { open as openFile } from 'node:fs/promises';
import { resolve } from 'node:path';

import type { Provider } from '#runtime/kernel/ports.ts';
import * as fail from '#schemas/generated/failures.ts';
import { bytesOfName } from '#schemas/types/file-name.ts';

import { isEncrypted, memoryFor, parseMembers } from './members.ts';
import { sevenZipModule } from './package.ts';
import type { SevenZipOptions, SevenZipPort } from './port.ts';
import { inThread, type Outcome, type Job } from './thread.ts';

/** Dictionaries beyond this are refused: they are what unpacking takes of memory. */
const MOST_MEMORY = 256 * 1024 ** 2;

/** Archives at relative paths begin at the working folder of the run. */
export const provider: Provider<'sevenZip'> = {
  open: ({ folders: { cwd } }): SevenZipPort => ({
    list: (path, options) => list({ path, place: resolve(cwd, path) }, options),
    contents: (path, options) => contents({ path, place: resolve(cwd, path) }, options),
    compress,
  }),
};

interface Archive {
  /** Path as it was given, for failures. */
  readonly path: string;
  /** Absolute. */
  readonly place: string;
}

type ReadOptions = SevenZipOptions & { readonly format: '7z' | 'rar' };

async function list(archive: Archive, options: ReadOptions): ReturnType<SevenZipPort['list']> {
  // With an empty password it says that the list itself is encrypted; without one it asks.
  const reading = onArchive(archive, options, ['l', '-slt', '-ba', '-p'], 'text');
  for (;;) {
    const { done, value } = await reading.next();
    if (done !== true) continue;
    const { lines } = value;
    if (isEncrypted(lines)) throw broken(archive, options, 'the archive is encrypted');
    if (memoryFor(lines) > MOST_MEMORY)
      throw broken(archive, options, 'it takes more than 256 MiB of memory to unpack');
    return parseMembers(lines);
  }
}

async function* contents(archive: Archive, options: ReadOptions): AsyncGenerator<Uint8Array, void> {
  yield* onArchive(archive, options, ['e', '-so', '-bd'], 'stdout');
}

/** A run over one archive, of exactly that format; fails where 7-Zip found something wrong. */
async function* onArchive(
  archive: Archive,
  options: ReadOptions,
  args: readonly string[],
  output: Job['output'],
): AsyncGenerator<Uint8Array, Outcome> {
  const module = sevenZipModule(options.command, options.format);
  const file = await openFile(Buffer.from(bytesOfName(archive.place)), 'r');
  try {
    const { size } = await file.stat();
    const job = { module, output, signal: options.signal, archive: { fd: file.fd, size } };
    const outcome = yield* inThread({
      ...job,
      args: [...args, `-t${options.format === 'rar' ? 'rar5' : '7z'}`, '/archive'],
    });
    if (outcome.code !== 0 && options.format === 'rar') {
      // Archives of RAR before version 5 are another format; nothing has been put out then.
      const older = yield* inThread({ ...job, args: [...args, '-trar', '/archive'] });
      if (older.code === 0) return older;
    }
    if (outcome.code !== 0)
      throw broken(archive, options, outcome.errors.filter((line) => line.trim() !== '').join('; '));
    return outcome;
  } finally {
    await file.close();
  }
}

function broken({ path }: Archive, { format }: ReadOptions, reason: string): Error {
  return fail.archiveBroken({ path, format, cause: new Error(reason.slice(0, 500)) });
}

async function* compress(
  format: 'xz' | 'bz2',
  bytes: AsyncIterable<Uint8Array>,
  { command, signal }: SevenZipOptions,
): AsyncGenerator<Uint8Array, void> {
  const module = sevenZipModule(command, format);
  const type = format === 'xz' ? '-txz' : '-tbzip2';
  const outcome = yield* inThread({
    module,
    output: 'file',
    input: bytes,
    signal,
    args: ['a', type, '-mmt1', '-si', '-bd', '/out'],
  });
  if (outcome.code !== 0) throw new Error(outcome.errors.join('; '));
}
