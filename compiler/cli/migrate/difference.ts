import { createTwoFilesPatch } from 'diff';

/** A unified difference of two texts, as `patch` reads it. */
export function difference(name: string, before: string, after: string): string {
  return createTwoFilesPatch(name, name, before, after, '', '', { context: 2 }).replace(/^Index: .*\n=+\n/, '');
}
