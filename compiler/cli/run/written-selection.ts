import type { WrittenSelection } from '#compiler/engine/run/read-selection.ts';
import type { ParsedArguments } from '#schemas/types/cli.ts';

import { many, one } from '../options.ts';

const selecting = ['tag', 'exclude-tag', 'grep', 'shard', 'last-failed'] as const;

/** The options of a command line that select, as one text. */
export function selectionText({ options }: ParsedArguments): string {
  return selecting
    .filter((name) => options[name] !== undefined)
    .map((name) => `--${name}`)
    .join(' ');
}

/** The selection that the options ask for. */
export function writtenSelection({ options }: ParsedArguments): WrittenSelection {
  const grep = one(options, 'grep');
  const shard = one(options, 'shard');
  return {
    tags: many(options, 'tag'),
    exclude_tags: many(options, 'exclude-tag'),
    ...(grep !== undefined && { grep }),
    ...(shard !== undefined && { shard }),
    last_failed: options['last-failed'] === true,
    dependencies: options['no-deps'] !== true,
  };
}
