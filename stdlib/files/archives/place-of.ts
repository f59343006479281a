import type { Ports } from '#runtime/kernel/ports.ts';
import * as fail from '#schemas/generated/failures.ts';

import type { Member } from './member.ts';

/** More folders than any real archive nests. */
const DEEPEST = 256;
/** No system takes a longer path; an archive can be made of nothing but such names. */
const LONGEST = 4096;
/** Number of characters of such a name that are shown. */
const SHOWN = 100;

const device = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9\u00b9\u00b2\u00b3]) *(?:\.|$)/i;

type Platform = Ports['archiveRules']['platform'];

/**
 * The parts of a member's name below a target folder. Fails for a name that would leave it: absolute, with a drive or a
 * parent step, with either separator. Device names are refused on every system, what only Windows cannot take only
 * there.
 */
export function placeOf(
  { name, separators, kind }: Pick<Member, 'name' | 'separators' | 'kind'>,
  base: string,
  platform: Platform,
): readonly string[] {
  if (name.length > LONGEST) throw fail.unusableName({ name: `${name.slice(0, SHOWN)}…` });
  const isAbsolute = /^[/\\]|^[A-Za-z]:[/\\]/.test(name) || (platform === 'win32' && /^[A-Za-z]:/.test(name));
  if (isAbsolute || name.split(/[/\\]/).includes('..')) throw fail.pathOutside({ name, base });
  const divided = separators === '/' ? name.split('/') : name.split(/[/\\]/);
  const parts = divided.filter((part) => part !== '' && part !== '.');
  const isNothing = parts.length === 0 && kind !== 'folder';
  if (isNothing || parts.length > DEEPEST || parts.some((part) => isUnusable(part, platform)))
    throw fail.unusableName({ name });
  return parts;
}

function isUnusable(part: string, platform: Platform): boolean {
  if (part.includes('\0') || device.test(part)) return true;
  return platform === 'win32' && (/[<>:"/\\|?*\x00-\x1f]/.test(part) || /[. ]$/.test(part));
}
