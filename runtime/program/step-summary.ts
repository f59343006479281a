import { closeSync, constants, fstatSync, openSync, writeSync } from 'node:fs';

import * as fail from '#schemas/generated/failures.ts';
import type { Files } from '#schemas/types/host.ts';

import { refuseLinks, type Bounds } from './output.ts';
import { reasonOf } from './reason.ts';

/** The file of a step's summary, and the folders below which nothing is written through a link. */
export interface StepSummary {
  readonly path: string;
  readonly files: Pick<Files, 'lstat'>;
  readonly bounds: Bounds;
}

/**
 * Appends a text to the summary of a step of GitHub Actions by one write, so that what others append meanwhile stays
 * whole. Fails where the file is missing, no regular file or a link, or would become larger than GitHub takes.
 */
export async function appendToStepSummary({ path, files, bounds }: StepSummary, text: string): Promise<void> {
  await refuseLinks(files, path, bounds);
  try {
    appendOnce(path, text);
  } catch (cause) {
    throw fail.outputNotWritten({ path, reason: reasonOf(cause), cause });
  }
}

function appendOnce(path: string, text: string): void {
  const { O_WRONLY, O_APPEND, O_NOFOLLOW, O_NONBLOCK } = constants;
  // No link is followed, and a pipe without a reader does not wait for one. The runner makes the file; we never do.
  const file = openSync(path, O_WRONLY | O_APPEND | O_NOFOLLOW | O_NONBLOCK);
  try {
    const stat = fstatSync(file);
    if (!stat.isFile()) throw failure('ENOTREG');
    // Others may have left their last line open.
    const bytes = Buffer.from(stat.size === 0 ? text : `\n${text}`);
    // Of a step that says more than 1 MiB, GitHub shows nothing.
    if (stat.size + bytes.length > 1_048_576) throw failure('EFBIG');
    if (writeSync(file, bytes) < bytes.length) throw failure('ENOSPC');
  } finally {
    closeSync(file);
  }
}

function failure(code: string): Error {
  return Object.assign(new Error(code), { code });
}
