import { constants, openSync } from 'node:fs';

/** Windows has no such flag, and no pipes among its files. */
const { O_RDONLY, O_NONBLOCK } = constants as Partial<typeof constants>;
export const READ_AT_ONCE = (O_RDONLY ?? 0) | (O_NONBLOCK ?? 0);

/** Opens for reading without waiting: a pipe that nobody writes to would hold up everything. The caller closes it. */
export function openAtOnce(native: string | Buffer): number {
  return openSync(native, READ_AT_ONCE);
}
