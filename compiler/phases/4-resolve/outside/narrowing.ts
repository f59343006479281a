import type { Reader } from '#compiler/reader.ts';
import type { Json } from '#schemas/types/json.ts';

import type { Call } from '../resolved.ts';
import type { Type } from '../value-type.ts';

/** Types of results that literal arguments tell, by call. */
export type Narrowed = ReadonlyMap<Call, Type>;

/** Means of finding out what literal arguments tell. */
export interface Narrowing {
  readonly reader: Reader;
  /** Project root, absolute. */
  readonly root: string;
  /** Absolute path that a value stands for, where that is known now. */
  readonly pathOf: (value: Json) => string | undefined;
  /** Whether a step may change the file before it is read. */
  readonly mayChange: (path: string, call: Call) => boolean;
  /** Whether a value holds references. */
  readonly isFilled: (value: Json) => boolean;
  readonly baseUrl: string | undefined;
}

/** A file of this size is read for the type of its content. */
const LARGEST = 1024 * 1024;

/** Text of a file that is there now and that no step changes before. */
export async function textAt(value: Json, call: Call, narrowing: Narrowing): Promise<string | undefined> {
  const path = narrowing.pathOf(value);
  try {
    const bytes = path === undefined ? undefined : await bytesAt(path, call, narrowing);
    return bytes && new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** Content of such a file at an absolute path. Fails as the system does where it cannot be read. */
export async function bytesAt(
  path: string,
  call: Call,
  { reader, mayChange }: Narrowing,
): Promise<Uint8Array | undefined> {
  if (mayChange(path, call)) return undefined;
  const found = await reader.find(path);
  if (found?.kind !== 'file' || found.size > LARGEST) return undefined;
  return await reader.read(path, { limit: LARGEST });
}
