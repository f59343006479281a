import { closeSync, openSync, readSync } from 'node:fs';

import type { Random } from '#schemas/types/host.ts';

import { whenNeeded } from './when-needed.ts';

export const random: Random = {
  number: () => Math.random(),
  uuid,
  bytes,
};

/** 16 random bytes in hex, with the marks of version 4 and of RFC 9562. */
function uuid(): string {
  const digits = Buffer.from(bytes(16)).toString('hex');
  const variant = ((Number.parseInt(digits.charAt(16), 16) & 3) | 8).toString(16);
  return `${digits.slice(0, 12)}4${digits.slice(13, 16)}${variant}${digits.slice(17)}`;
}

/**
 * From the operating system. Its device is at hand at once, where loading `node:crypto` takes as long as a small run.
 */
function bytes(count: number): Uint8Array {
  const device = openDevice();
  if (device === undefined) return new Uint8Array(whenNeeded.crypto.randomBytes(count));
  try {
    const filled = new Uint8Array(count);
    let read = 0;
    while (read < count) read += readSync(device, filled, read, count - read, null);
    return filled;
  } finally {
    closeSync(device);
  }
}

/** Undefined on systems without such a device. */
function openDevice(): number | undefined {
  try {
    return openSync('/dev/urandom', 'r');
  } catch {
    return undefined;
  }
}
