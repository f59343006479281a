import type { SourceId } from '#schemas/types/place.ts';

import type { Section } from '../3-parse/ast.ts';

import type { Call } from './resolved.ts';

/**
 * The id of a node: `<path from root>#` and its own id, else its place: the index in the body, `setup.0`, `teardown.1`,
 * or inside another step `<parent>.<parameter>.<index>`. `parent` is without the path.
 */
export function localId(call: Call, section: Section, parent?: string): string {
  const own = call.step.options?.id;
  if (own !== undefined) return own;
  if (parent !== undefined) return `${parent}.${call.step.index}`;
  return section === 'body' ? String(call.step.index) : `${section}.${call.step.index}`;
}

export function nodeId(source: SourceId, local: string): string {
  return `${source}#${local}`;
}
