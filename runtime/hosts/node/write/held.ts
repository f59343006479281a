import { whenNeeded } from '../when-needed.ts';

/** Opens a place without the right to read it; Node gives it no name. */
const O_PATH = 0x20_0000;

/** Whether paths can begin at a held folder: on Linux, where `/proc` is there. */
export function heldPaths(): boolean {
  return process.platform === 'linux' && whenNeeded.fs.existsSync('/proc/self/fd');
}

/** Holds a folder by a descriptor. Fails with ENOTDIR or ELOOP for what is none; a link is followed only where told. */
export function hold(path: string | Buffer, { follow = false }: { readonly follow?: boolean } = {}): number {
  const { O_DIRECTORY, O_NOFOLLOW } = whenNeeded.fs.constants;
  return whenNeeded.fs.openSync(path, O_PATH | O_DIRECTORY | (follow ? 0 : O_NOFOLLOW));
}

/**
 * Nothing was written through the descriptor: what its closing says is no news of the folder, and it is closed all the
 * same.
 */
export function letGo(folder: number): void {
  try {
    whenNeeded.fs.closeSync(folder);
  } catch {
    // As above.
  }
}

/** The path of an entry of a held folder: it leads there whatever the folder, or one above it, is called by now. */
export function entryOf(folder: number, name: Buffer): Buffer {
  return Buffer.concat([Buffer.from(`/proc/self/fd/${folder}/`), name]);
}
