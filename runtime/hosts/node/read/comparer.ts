import type * as FileSystem from 'node:fs';

/** Files of one size, paths as the system takes them. */
export interface NativeGroup {
  readonly size: number;
  readonly paths: readonly (string | Buffer)[];
}

/** A place in the group, as `Likeness` has it. */
export type NativeLikeness = number | 'changed' | { readonly code: string; readonly message: string };

/**
 * Makes a function that tells files of one size apart by their first bytes, by calls that block: each file is read
 * once, and is compared to those that were different so far. It yields after each file that is not small. The text of
 * this function also runs in threads of its own (`tell-apart.ts`), so it uses nothing but what it is given.
 */
export function makeComparer(
  fs: Pick<typeof FileSystem, 'openSync' | 'closeSync' | 'readSync' | 'fstatSync'>,
  flags: number,
  end: number,
) {
  let buffer = Buffer.alloc(0);

  /** Fills the buffer from a place on; false where the file is no longer what it was. */
  const isRead = (path: string | Buffer, place: number, size: number): boolean => {
    const file = fs.openSync(path, flags);
    try {
      const wanted = Math.min(size, end);
      // One byte more tells of a file that has grown.
      const most = size < end ? size + 1 : end;
      let filled = 0;
      for (let read = -1; read !== 0 && filled < wanted; filled += read)
        read = fs.readSync(file, buffer, place + filled, most - filled, filled);
      return filled === wanted && (size <= end || fs.fstatSync(file).size === size);
    } finally {
      try {
        fs.closeSync(file);
      } catch {
        // Nothing was written: what was read is right, or another error is the one to tell.
      }
    }
  };

  return function* tell({ size, paths }: NativeGroup): Generator<void, readonly NativeLikeness[]> {
    const length = Math.min(size, end);
    const most = (length + 1) * paths.length;
    // Twice as large as the one before: each that is given up counts as garbage.
    if (buffer.length < most) buffer = Buffer.allocUnsafeSlow(Math.max(most, 2 * buffer.length, 1 << 18));
    /** The first of each content; theirs stand one behind the other in the buffer. */
    const firsts: number[] = [];
    const likenesses: NativeLikeness[] = [];
    for (const [index, path] of paths.entries()) {
      const place = firsts.length * length;
      try {
        if (!isRead(path, place, size)) {
          likenesses.push('changed');
        } else {
          const same = firsts.findIndex(
            (_, one) => buffer.compare(buffer, place, place + length, one * length, (one + 1) * length) === 0,
          );
          likenesses.push(firsts[same] ?? index);
          if (same < 0) firsts.push(index);
        }
      } catch (error) {
        const { code, message } = error as { readonly code?: unknown; readonly message: string };
        likenesses.push({ code: String(code ?? 'EIO'), message });
      }
      if (length > 1 << 14) yield;
    }
    return likenesses;
  };
}
