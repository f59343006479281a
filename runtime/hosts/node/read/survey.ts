import { lstatSync, readdirSync } from 'node:fs';

import type { SurveyedEntry } from '#schemas/types/host.ts';

import { yieldTurn } from '../threads/yield-turn.ts';
import { fromNative, toNative } from '../paths.ts';
import { described } from './read.ts';
import { about, naming } from '../system-error.ts';

/** Entries that are looked at between two looks at the clock. */
const SLICE = 256;

const quietly = { throwIfNoEntry: false } as const;

/**
 * Calls that block take a tenth of the time of trips to the thread pool, and give way to others every few milliseconds.
 */
export async function survey(path: string, signal?: AbortSignal): Promise<readonly SurveyedEntry[]> {
  await yieldTurn(signal);
  const { names, areText } = naming(path, () => namesIn(path));
  const entries: SurveyedEntry[] = [];
  for (let from = 0; from < names.length; from += SLICE) {
    if (from > 0) await yieldTurn(signal);
    look(path, names.slice(from, from + SLICE), areText, entries);
  }
  return entries;
}

/** `areText`: neither the path nor a name needs to become bytes. */
function look(path: string, names: readonly string[], areText: boolean, entries: SurveyedEntry[]): void {
  let own = path;
  try {
    for (const name of names) {
      own = `${path}/${name}`;
      const stats = lstatSync(areText ? own : toNative(own), quietly);
      if (stats) entries.push({ name, stat: described(stats) });
    }
  } catch (error) {
    throw about(error, own);
  }
}

function namesIn(path: string): { readonly names: readonly string[]; readonly areText: boolean } {
  const native = toNative(path);
  const names = readdirSync(native);
  if (!names.some((name) => name.includes('\ufffd'))) return { names, areText: native === path };
  return { names: readdirSync(native, { encoding: 'buffer' }).map(fromNative), areText: false };
}
