import { lstatSync, readdirSync, rmSync, unlinkSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';

import { clock } from '../clock.ts';
import { stateOf, thisProcess, type Owner } from './owner.ts';
import { fromNative, toNative } from '../paths.ts';

/** Age (ms) from which a temporary file is left over, if its process cannot be looked up. */
const FORSAKEN_MS = 24 * 60 * 60 * 1000;

/**
 * A folder is looked through again after a second, or after so many times as long as that took: large ones cost little.
 */
const SHARE = 100;

/** Folders whose last look is remembered. */
const REMEMBERED = 10_000;

const ours = /^\.(?:.*\.)?tmp-([0-9a-z]+)-([0-9a-z]+)-([0-9a-z]+)-[0-9a-z]+\.tmp$/s;

/** State of this process; made at the first use. */
const own: { owner?: Owner; readonly nextLook: Map<string, number> } = { nextLook: new Map() };

/**
 * A free path in the same folder for what will take the place of `path`. Its name says which process made it, so that
 * what a killed process left in a folder goes when the next one writes there.
 */
export function temporaryBeside(path: string): string {
  const folder = dirname(path);
  sweep(folder, owner());
  const name = Buffer.byteLength(basename(path)) > 190 ? '' : `${basename(path)}.`;
  const random = Math.random().toString(36).slice(2, 10);
  return join(folder, `.${name}${mark()}${random}.tmp`);
}

/** Start of the names that this process makes; a random part follows. */
export function mark(): string {
  const { world, pid, start } = owner();
  return `tmp-${world}-${pid.toString(36)}-${start}-`;
}

/** Whether a name is one of those that `temporaryBeside` makes, in this process or in another. */
export function isTemporary(name: string): boolean {
  return ours.test(name);
}

/** Removes what processes that have ended left in a folder, whenever it was looked through last. Never fails. */
export function sweepNow(folder: string): void {
  for (const name of leftovers(folder, owner())) removeQuietly(join(folder, name));
}

function owner(): Owner {
  return (own.owner ??= thisProcess());
}

/** Removes what processes that have ended left in a folder. Never fails: the write that it stands before must not. */
function sweep(folder: string, here: Owner): void {
  const key = resolve(folder);
  const begun = clock.monotonic();
  if (begun < (own.nextLook.get(key) ?? 0)) return;
  for (const name of leftovers(folder, here)) removeQuietly(join(folder, name));
  if (own.nextLook.size >= REMEMBERED) own.nextLook.clear();
  own.nextLook.set(key, begun + Math.max(1000, SHARE * (clock.monotonic() - begun)));
}

function leftovers(folder: string, here: Owner): readonly string[] {
  try {
    const native = toNative(folder);
    const names: string[] = readdirSync(native);
    if (!names.some((name) => ours.test(name))) return [];
    // Bytes that are not UTF-8 must not be lost on the way to the removal.
    const exact = names.some((name) => name.includes('\ufffd'))
      ? readdirSync(native, { encoding: 'buffer' }).map(fromNative)
      : names;
    return exact.filter((name) => isLeftOver(join(folder, name), ours.exec(name), here));
  } catch {
    return [];
  }
}

function isLeftOver(path: string, match: RegExpExecArray | null, here: Owner): boolean {
  if (match === null) return false;
  const [, world = '', pid = '', start = ''] = match;
  const state = stateOf({ world, pid: Number.parseInt(pid, 36), start }, here);
  if (state !== 'unknown') return state === 'ended';
  const found = lstatSync(toNative(path), { throwIfNoEntry: false });
  return found !== undefined && Date.now() - found.mtimeMs > FORSAKEN_MS;
}

function removeQuietly(path: string): void {
  const native = toNative(path);
  try {
    if (lstatSync(native).isDirectory()) rmSync(native, { recursive: true });
    else unlinkSync(native);
  } catch {
    // Somebody else removed it, or it is not ours to remove.
  }
}
