import type { Regex } from '#runtime/kernel/ports.ts';
import * as fail from '#schemas/generated/failures.ts';
import type { RegExpMatch } from '#schemas/types/host.ts';
import { inPieces } from '#stdlib/files/in-pieces.ts';

import type { Replaced } from './replace-literal.ts';

export interface Matching {
  readonly pattern: string;
  readonly replacement: string;
  readonly limit: number;
}

/**
 * Replaces what an expression finds in a whole text. Nothing stands between the two characters of a CR LF, which is one
 * end of a line, though expressions see an end at either of them.
 */
export function replaceMatches(
  regex: Regex,
  text: AsyncIterable<string>,
  { pattern, replacement, limit }: Matching,
): Replaced {
  let count = 0;
  async function* pieces(): AsyncGenerator<string, void> {
    let whole = '';
    for await (const piece of text) whole += piece;
    let from = 0;
    for (const match of regex.all(pattern, 'mu', whole)) {
      if (match.groups[0] === '' && whole[match.index] === '\n' && whole[match.index - 1] === '\r') continue;
      yield whole.slice(from, match.index) + filled(replacement, match);
      from = match.index + (match.groups[0] ?? '').length;
      count += 1;
      if (count >= limit) break;
    }
    yield whole.slice(from);
  }
  return { text: inPieces(pieces()), count: () => count };
}

/**
 * A backslash or a dollar sign and what it means: a group by its number, the whole match, a control character, itself.
 */
const reference = /\\([0-9]{1,2}|[nrt\\])|\$([0-9]{1,2}|[&$])/g;
const controls: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', '\\': '\\', $: '$' };

function filled(replacement: string, { groups }: RegExpMatch): string {
  return replacement.replace(reference, (_whole, slashed: string | undefined, dollared: string | undefined) => {
    const name = slashed ?? dollared ?? '';
    if (name === '&') return groups[0] ?? '';
    return controls[name] ?? groupOf(groups, name);
  });
}

/** Number of the group that digits name; the second of two digits is text where there are not so many groups. */
function groupOf(groups: RegExpMatch['groups'], digits: string): string {
  if (Number(digits) < groups.length) return groups[Number(digits)] ?? '';
  const first = Number(digits.slice(0, 1));
  if (digits.length === 1 || first >= groups.length)
    throw fail.groupUnknown({ group: Number(digits), count: groups.length - 1 });
  return (groups[first] ?? '') + digits.slice(1);
}
