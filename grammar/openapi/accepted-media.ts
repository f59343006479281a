import { plainType } from './body.ts';
import type { Media } from './operations.ts';

/**
 * The declared content that an `Accept` header likes best (RFC 9110 section 12.5.1), of equal ones the usual one, then
 * the first; undefined: it takes none. `application/json` takes what is built on it (`application/problem+json`) too.
 */
export function acceptedMedia(accept: string, declared: readonly Media[], usual: Media | undefined): Media | undefined {
  const ranges = accept.split(',').map(readRange);
  const ordered = usual ? [usual, ...declared.filter((media) => media !== usual)] : declared;
  let best: { readonly media: Media; readonly quality: number } | undefined;
  for (const media of ordered) {
    const quality = qualityOf(plainType(media.type), ranges);
    if (quality > (best?.quality ?? 0)) best = { media, quality };
  }
  return best?.media;
}

interface Range {
  readonly type: string;
  readonly quality: number;
}

function readRange(text: string): Range {
  const [type = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase());
  const quality = Number(parameters.find((one) => /^q\s*=/.test(one))?.replace(/^q\s*=\s*/, '') ?? 1);
  return { type, quality: Number.isNaN(quality) ? 1 : quality };
}

/** The quality that the most exact range gives a type; 0: none takes it. */
function qualityOf(type: string, ranges: readonly Range[]): number {
  const ranks = ranges.map((range) => rankOf(range.type, type));
  const most = Math.max(...ranks);
  return most === 0 ? 0 : (ranges[ranks.indexOf(most)]?.quality ?? 0);
}

/** Exactness with which a range names a type: from 0, not at all, to 4. A declared range takes whatever it covers. */
function rankOf(range: string, type: string): number {
  if (range === type) return 4;
  const [[wide = '', narrow = ''], [main = '', sub = '']] = [range.split('/'), type.split('/')];
  if (wide === main && narrow !== '*' && (sub === '*' || sub.endsWith(`+${narrow}`))) return 3;
  if (wide === main && narrow === '*') return 2;
  return range === '*/*' || main === '*' ? 1 : 0;
}
