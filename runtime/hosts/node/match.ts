import type { Context, Script } from 'node:vm';

import type { Host, RegExpMatch } from '#schemas/types/host.ts';

import { whenNeeded } from './when-needed.ts';

const FIRST =
  '(() => { const found = new RegExp(pattern, flags).exec(text); return found && { index: found.index, groups: [...found] }; })()';
const MANY = `(() => {
  const expression = new RegExp(pattern, flags);
  expression.lastIndex = from;
  const all = [];
  for (let found; all.length < limit && (found = expression.exec(text)) !== null; ) {
    all.push({ index: found.index, groups: [...found] });
    if (found[0] === '') expression.lastIndex += text.codePointAt(expression.lastIndex) > 0xffff ? 2 : 1;
  }
  return all;
})()`;

interface Engine {
  readonly first: Script;
  readonly many: Script;
  readonly context: Context;
}

/**
 * Runs regular expressions in a context of its own, which ends a search after `ms` milliseconds. The error of the limit
 * has the code `ERR_SCRIPT_EXECUTION_TIMEOUT`. Pattern and text are data of that context, never code.
 */
export function makeMatch(): Pick<Host, 'match' | 'matchMany'> {
  let made: Engine | undefined;
  const engine = (): Engine => {
    const { Script: Made, createContext } = whenNeeded.vm;
    return (made ??= {
      first: new Made(FIRST),
      many: new Made(MANY),
      context: createContext(Object.create(null) as object),
    });
  };
  return {
    match: (pattern, flags, text, ms) => {
      const { first, context } = engine();
      Object.assign(context, { pattern, flags, text });
      const found = first.runInContext(context, { timeout: ms }) as RegExpMatch | null;
      return found && copied(found);
    },
    matchMany: (pattern, flags, text, { from, limit, ms }) => {
      const { many, context } = engine();
      Object.assign(context, { pattern, flags: flags.includes('g') ? flags : `${flags}g`, text, from, limit });
      return (many.runInContext(context, { timeout: ms }) as readonly RegExpMatch[]).map(copied);
    },
  };
}

/** Lists of the other context are of another realm. */
function copied({ index, groups }: RegExpMatch): RegExpMatch {
  return { index, groups: [...groups] };
}
