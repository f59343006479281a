import { closeSync, constants, mkdirSync, openSync, statSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';

import * as fail from '#schemas/generated/failures.ts';

import type { RecordSink } from '../kernel/options.ts';
import { jsonText } from '../reporters/outgoing.ts';

import { reasonOf } from './reason.ts';

/** Held back at most, in UTF-16 units; more goes to the operating system without being asked for. */
const HELD = 65_536;
/** Bytes kept for a disk that is full; beyond that they are lost. */
const MOST_KEPT = 64 * 1024 * 1024;

/**
 * A record file: one JSON object a line, whole lines only. What `flush` has written is with the operating system, so a
 * killed run loses nothing of it. Lines go to the end of the file, so that processes may share it; `more`: what stands
 * there already is kept. Fails where the file cannot be made; what a full disk refuses is kept and tried again, and
 * `close` fails where it could not be written in the end.
 */
export function openRecordFile(path: string, { more = false }: { readonly more?: boolean } = {}): RecordSink {
  const file = open(path, more);
  let held = '';
  // Lines that did not fit on the disk are tried again with the next ones.
  let rest = Buffer.alloc(0);
  const flush = (): void => {
    if (held === '' && rest.length === 0) return;
    rest = rest.length === 0 ? Buffer.from(held) : Buffer.concat([rest, Buffer.from(held)]);
    held = '';
    try {
      while (rest.length > 0) rest = rest.subarray(writeSync(file, rest));
    } catch (cause) {
      if (rest.length > MOST_KEPT) rest = Buffer.alloc(0);
      throw fail.outputNotWritten({ path, reason: reasonOf(cause), cause });
    }
  };
  return {
    add(record) {
      held += `${jsonText(record)}\n`;
      if (held.length > HELD) flush();
    },
    flush,
    close() {
      try {
        flush();
      } finally {
        rest = Buffer.alloc(0);
        closeSync(file);
      }
    },
  };
}

function open(path: string, more: boolean): number {
  try {
    mkdirSync(dirname(path), { recursive: true });
    refusePipeWithoutReader(path);
    return openSync(path, constants.O_WRONLY | constants.O_CREAT | constants.O_APPEND | (more ? 0 : constants.O_TRUNC));
  } catch (cause) {
    throw fail.outputNotWritten({ path, reason: reasonOf(cause), cause });
  }
}

/**
 * Opening a pipe waits for somebody who reads, and nothing could end the wait: where nobody does it fails with ENXIO.
 */
function refusePipeWithoutReader(path: string): void {
  if (!statSync(path, { throwIfNoEntry: false })?.isFIFO()) return;
  closeSync(openSync(path, constants.O_WRONLY | constants.O_NONBLOCK));
}
