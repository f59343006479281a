import { resolve } from 'node:path';

import type { CompileContext } from '#compiler/context.ts';
import type { Json } from '#schemas/types/json.ts';
import type { SourceId } from '#schemas/types/place.ts';
import type { Ref } from '#schemas/types/reference.ts';

import { folderOf } from '../files.ts';
import type { Tokens } from '../tokens.ts';

/** Absolute path of a parameter of a file, where no reference in it waits for a run. */
export function pathsIn(
  source: SourceId,
  tokens: Pick<Tokens, 'text'>,
  context: CompileContext,
): (value: Json) => string | undefined {
  const { host, root } = context;
  const folders = new Map<Ref['ns'], () => string>([
    ['cwd', () => host.cwd],
    ['root', () => root],
    ['here', () => folderOf(source, context)],
  ]);
  return (value) => {
    if (typeof value !== 'string') return undefined;
    const parsed = tokens.text(value);
    if (parsed === undefined) return resolve(host.cwd, value);
    if (parsed.problems.length > 0) return undefined;
    let path = '';
    for (const part of parsed.parts) {
      const text = typeof part === 'string' ? part : folders.get(part.ns)?.();
      if (text === undefined) return undefined;
      path += text;
    }
    return resolve(host.cwd, path);
  };
}
