import type * as FileSystem from 'node:fs';

/** Job of a copier; paths as the system takes them, the rest as the source was seen last. */
export interface NativeCopy {
  readonly from: string | Buffer;
  readonly to: string | Buffer;
  readonly size: number;
  readonly mtimeMs: number;
  readonly mode: number;
  /** Paths of both with links resolved; `''`: they are not checked. */
  readonly realFrom: string;
  readonly realTo: string;
}

/** Facts by which a source is known to be still the same. */
type Seen = Pick<NativeCopy, 'size' | 'mtimeMs' | 'mode'>;

/** `reading`: the source is to blame. */
export type NativeOutcome =
  | 'copied'
  | 'changed'
  | { readonly code: string; readonly message: string; readonly reading: boolean };

export interface CopierOptions {
  /** Begins the names of temporary files. */
  readonly prefix: string;
  readonly durable: boolean;
  /** Permission bits that the system takes away from new files. */
  readonly umask: number;
}

type Calls = Pick<
  typeof FileSystem,
  | 'openSync'
  | 'closeSync'
  | 'readSync'
  | 'writeSync'
  | 'fstatSync'
  | 'lstatSync'
  | 'readlinkSync'
  | 'fchmodSync'
  | 'futimesSync'
  | 'ftruncateSync'
  | 'fsyncSync'
  | 'renameSync'
  | 'unlinkSync'
  | 'constants'
>;

/**
 * Makes a function that copies one regular file by calls that block, with permission bits and times, holes kept, beside
 * its target and then over it. It yields after each piece of a large file; ended there, it leaves nothing behind. The
 * text of this function also runs in threads of its own (`copy-workload.ts`), so it uses nothing but what it is given.
 */
export function makeCopier(fs: Calls, { prefix, durable, umask }: CopierOptions) {
  const attempts = 3;
  const hole = 4096;
  const buffer = Buffer.allocUnsafeSlow(1 << 18);
  const zeros = Buffer.alloc(hole);
  // A link or a pipe that has taken the place of the file is neither followed nor waited for. Windows knows neither
  // flag, and what is not defined counts as 0 here.
  const { O_RDONLY, O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW, O_NONBLOCK } = fs.constants;
  const toRead = O_RDONLY | O_NOFOLLOW | O_NONBLOCK;
  const toMake = O_WRONLY | O_CREAT | O_EXCL;

  // Names of this copier alone, with a number for each copy.
  const ours = Math.random().toString(36).slice(2, 12).padEnd(10, '0');
  let count = 0;

  const temporaryBeside = (to: string | Buffer): string | Buffer => {
    const name = `${prefix}${ours}${(count += 1).toString(36)}.tmp`;
    if (typeof to !== 'string') return Buffer.concat([to.subarray(0, to.lastIndexOf('/') + 1), Buffer.from(name)]);
    const end = Math.max(to.lastIndexOf('/'), process.platform === 'win32' ? to.lastIndexOf('\\') : -1);
    return to.slice(0, end + 1) + name;
  };

  const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

  /**
   * Whether an open file stands elsewhere than it should. Letters and forms of names are as its file system keeps them.
   */
  const isElsewhere = (file: number, real: string): boolean => {
    if (real === '') return false;
    const there = fs.readlinkSync(`/proc/self/fd/${file}`);
    return there !== real && there.toLowerCase().normalize() !== real.toLowerCase().normalize();
  };

  /** Writes a piece at its place; in a sparse file, all of it but blocks of zeros. */
  const put = (file: number, length: number, position: number, isSparse: boolean): void => {
    for (let at = 0; at < length;) {
      let end = length;
      if (isSparse) {
        end = Math.min(at + hole, length);
        if (zeros.compare(buffer, at, end, 0, end - at) === 0) {
          at = end;
          continue;
        }
      }
      at += fs.writeSync(file, buffer, at, end - at, position + at);
    }
  };

  /** Fills the target and yields its length, which is more than `size` where the source has grown. */
  function* filled(source: number, target: number, size: number): Generator<void, number> {
    const { blocks } = fs.fstatSync(source);
    const isSparse = blocks * 512 < size;
    let position = 0;
    while (position <= size) {
      const read = fs.readSync(source, buffer, 0, Math.min(buffer.length, size + 1 - position), null);
      if (read === 0) break;
      put(target, read, position, isSparse);
      position += read;
      yield;
    }
    if (isSparse) fs.ftruncateSync(target, position);
    return position;
  }

  const filledAtOnce = (source: number, target: number, size: number): number => {
    const read = fs.readSync(source, buffer, 0, size + 1, null);
    if (read > 0) put(target, read, 0, false);
    return read;
  };

  // A number before 1970 would mean this moment.
  const timeOf = (ms: number): number | Date => (ms < 0 ? new Date(ms) : ms / 1000);

  /** Gives the target what else its source has; false where the source is no longer what was seen. */
  const finish = (source: number, target: number, length: number, seen: Seen): boolean => {
    const stats = fs.fstatSync(source);
    if (!stats.isFile() || stats.size !== seen.size || stats.mtimeMs !== seen.mtimeMs || length !== seen.size)
      return false;
    const mode = stats.mode & 0o7777;
    if (mode !== (seen.mode & 0o777 & ~umask)) fs.fchmodSync(target, mode);
    fs.futimesSync(target, timeOf(stats.atimeMs), timeOf(stats.mtimeMs));
    if (durable) fs.fsyncSync(target);
    return true;
  };

  return function* copy({
    from,
    to,
    size,
    mtimeMs,
    mode,
    realFrom,
    realTo,
  }: NativeCopy): Generator<void, NativeOutcome> {
    const temporary = temporaryBeside(to);
    const realTemporary = realTo && realTo.slice(0, realTo.lastIndexOf('/') + 1) + nameOf(String(temporary));
    let source = -1;
    let target = -1;
    let isMade = false;
    /**
     * Each once, whatever happens: what fails to close is closed all the same, and another file may have its number by
     * then.
     */
    const close = (): void => {
      const [first, second] = [source, target];
      source = -1;
      target = -1;
      try {
        if (first >= 0) fs.closeSync(first);
      } finally {
        if (second >= 0) fs.closeSync(second);
      }
    };
    try {
      let seen: Seen = { size, mtimeMs, mode };
      for (let attempt = 1; ; attempt += 1) {
        source = fs.openSync(from, toRead);
        // Never with more rights than it has in the end.
        target = fs.openSync(temporary, toMake, seen.mode & 0o777);
        isMade = true;
        if (isElsewhere(source, realFrom) || isElsewhere(target, realTemporary))
          throw Object.assign(new Error('a folder on the way leads elsewhere by now'), { code: 'ELOOP' });
        const length =
          seen.size < buffer.length
            ? filledAtOnce(source, target, seen.size)
            : yield* filled(source, target, seen.size);
        const isWhole = finish(source, target, length, seen);
        close();
        if (isWhole) break;
        fs.unlinkSync(temporary);
        isMade = false;
        const now = fs.lstatSync(from);
        if (!now.isFile() || attempt === attempts) return 'changed';
        seen = now;
      }
      fs.renameSync(temporary, to);
      isMade = false;
      return 'copied';
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      return { code: code ?? 'EIO', message, reading: source < 0 && !isMade };
    } finally {
      try {
        close();
      } catch {
        // The first error is the one to tell.
      }
      try {
        if (isMade) fs.unlinkSync(temporary);
      } catch {
        // Neither is this one.
      }
    }
  };
}
