import type { Media } from './operations.ts';
import { plainType } from './body.ts';

/** The declared content that a media type means, of several the most specific one; undefined: none takes it. */
export function mediaFor(contentType: string, declared: readonly Media[]): Media | undefined {
  const ranks = declared.map((media) => [rank(media.type, contentType), media] as const);
  const best = Math.max(...ranks.map(([one]) => one));
  return best > 0 ? ranks.find(([one]) => one === best)?.[1] : undefined;
}

/** Exactness with which a declared media type or range names a type: from 0, not at all, to 6, with all parameters. */
function rank(declared: string, contentType: string): number {
  const [range, type] = [plainType(declared), plainType(contentType)];
  if (range === type) return parameters(declared) === parameters(contentType) ? 6 : declared.includes(';') ? 4 : 5;
  if (range === '*/*' || range === '*') return 1;
  const [lead = '', rest = ''] = range.split('*', 2);
  if (!range.includes('/*') || !type.startsWith(lead)) return 0;
  return rest === '' ? 2 : type.endsWith(rest) ? 3 : 0;
}

function parameters(contentType: string): string {
  return contentType.toLowerCase().replace(/["\s]/g, '').split(';').slice(1).toSorted().join(';');
}
