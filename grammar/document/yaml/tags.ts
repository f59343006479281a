import type { DocumentDirective } from 'js-yaml';

import { percentDecoded } from '../../source/percent-decoded.ts';

const CORE = 'tag:yaml.org,2002:';

/**
 * The core schema's own tags, by their short names; `text` is the non-specific `!`, which keeps a scalar from being
 * resolved.
 */
export type KnownTag = 'str' | 'null' | 'bool' | 'int' | 'float' | 'seq' | 'map' | 'text';

/**
 * Type that a tag as written (`!!int`, `!<tag:yaml.org,2002:int>`, `!e!int`) names; undefined for all that the
 * core schema lacks.
 */
export function knownTag(raw: string, directives: readonly DocumentDirective[]): KnownTag | undefined {
  if (raw === '!') return 'text';
  const full = fullName(raw, directives);
  if (full === undefined || !full.startsWith(CORE)) return undefined;
  const short = full.slice(CORE.length);
  switch (short) {
    case 'str':
    case 'null':
    case 'bool':
    case 'int':
    case 'float':
    case 'seq':
    case 'map':
      return short;
    default:
      return undefined;
  }
}

function fullName(raw: string, directives: readonly DocumentDirective[]): string | undefined {
  const verbatim = /^!<(.*)>$/.exec(raw);
  if (verbatim !== null) return verbatim[1];
  const [, handle, suffix] = /^(![A-Za-z0-9-]*!|!)(.*)$/.exec(raw) ?? [];
  if (handle === undefined || suffix === undefined) return undefined;
  const declared = directives.find((directive) => directive.kind === 'tag' && directive.handle === handle);
  const prefix = declared?.kind === 'tag' ? declared.prefix : handle === '!!' ? CORE : handle;
  return prefix + percentDecoded(suffix);
}

/** Name in messages of a value with the tag. */
export function kindOfTag(tag: KnownTag): string {
  switch (tag) {
    case 'str':
    case 'text':
      return 'text';
    case 'null':
      return 'null';
    case 'bool':
      return 'boolean';
    case 'int':
      return 'integer';
    case 'float':
      return 'number';
    case 'seq':
      return 'list';
    case 'map':
      return 'object';
  }
}
