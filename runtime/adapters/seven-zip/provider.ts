import { open as openFile } from 'node:fs/promises';

import type { Provider } from '#runtime/kernel/ports.ts';
import * as fail from '#schemas/generated/failures.ts';
import { bytesOfName } from '#schemas/types/file-name.ts';

import { isEncrypted, memoryFor, parseMembers } from './members.ts';
import { sevenZipModule } from './package.ts';
import type { SevenZipOptions, SevenZipPort } from './port.ts';
import { inThread, type Outcome, type Wish } from './thread.ts';

/** Dictionaries beyond this are refused: they are what unpacking takes of memory. */
const MOST_MEMORY = 256 * 1024 ** 2;

export const provider: Provider<'sevenZip'> = { open: (): SevenZipPort => ({ list, contents, compress }) };

type ReadOptions = SevenZipOptions & { readonly format: '7z' | 'rar' };

async function list(path: string, options: ReadOptions): ReturnType<SevenZipPort['list']> {
  const reading = onArchive(path, options, ['l', '-slt', '-ba'], 'text');
  for (;;) {
    const { done, value } = await reading.next();
    if (done !== true) continue;
    const { lines } = value;
    if (isEncrypted(lines)) throw broken(path, options, 'the archive is encrypted');
    if (memoryFor(lines) > MOST_MEMORY) throw broken(path, options, 'it takes more than 256 MiB of memory to unpack');
    return parseMembers(lines);
  }
}

async function* contents(path: string, options: ReadOptions): AsyncGenerator<Uint8Array, void> {
  yield* onArchive(path, options, ['e', '-so', '-bd'], 'stdout');
}

/** A run over one archive, of exactly that format; fails where 7-Zip found something wrong. */
async function* onArchive(
  path: string,
  options: ReadOptions,
  args: readonly string[],
  output: Wish['output'],
): AsyncGenerator<Uint8Array, Outcome> {
  const module = sevenZipModule(options.command, options.format);
  const file = await openFile(Buffer.from(bytesOfName(path)), 'r');
  try {
    const { size } = await file.stat();
    const wish = { module, output, signal: options.signal, archive: { fd: file.fd, size } };
    const outcome = yield* inThread({
      ...wish,
      args: [...args, `-t${options.format === 'rar' ? 'rar5' : '7z'}`, '/archive'],
    });
    if (outcome.code !== 0 && options.format === 'rar') {
      // Archives of RAR before version 5 are another format; nothing has been put out then.
      const older = yield* inThread({ ...wish, args: [...args, '-trar', '/archive'] });
      if (older.code === 0) return older;
    }
    if (outcome.code !== 0) throw broken(path, options, outcome.errors.filter((line) => line.trim() !== '').join('; '));
    return outcome;
  } finally {
    await file.close();
  }
}

function broken(path: string, { format }: ReadOptions, reason: string): Error {
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
