import * as fail from '#schemas/generated/failures.ts';
import type { Host } from '#schemas/types/host.ts';

/** More folders than any real archive nests. */
const DEEPEST = 256;

const device = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9\u00b9\u00b2\u00b3])(?:\.|$)/i;

/**
 * The parts of a member's name below a target folder. Fails for a name that would leave it: absolute, with a drive or a parent
 * step, with either separator. Device names are refused on every system, what only Windows cannot take only there.
 */
export function placeOf(name: string, separators: '/' | '/\\', { path, platform }: { readonly path: string; readonly platform: Host['platform'] }): readonly string[] {
  const isAbsolute = /^[/\\]|^[A-Za-z]:[/\\]/.test(name) || (platform === 'win32' && /^[A-Za-z]:/.test(name));
  if (isAbsolute || name.split(/[/\\]/).includes('..')) throw fail.pathOutside({ name, base: path });
  const divided = separators === '/' ? name.split('/') : name.split(/[/\\]/);
  const parts = divided.filter((part) => part !== '' && part !== '.');
  if (parts.length > DEEPEST || parts.some((part) => isUnusable(part, platform))) throw fail.unusableName({ name });
  return parts;
}

function isUnusable(part: string, platform: Host['platform']): boolean {
  if (part.includes('\0') || device.test(part.trimEnd())) return true;
  return platform === 'win32' && (/[<>:"/\\|?*\x00-\x1f]/.test(part) || /[. ]$/.test(part));
}
