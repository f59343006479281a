import * as fail from '#schemas/generated/failures.ts';

import { AccessList } from './access-list.ts';
import type { ServedCommand } from './action-calls.ts';
import type { Tool } from './port.ts';

/**
 * Commands whose names `allowed` lets through, sorted. Without a list those that start programs or servers are left
 * out.
 */
export function servedBy(
  commands: readonly ServedCommand[],
  allowed: readonly string[] | null,
): readonly ServedCommand[] {
  const unknown = unknownOf(commands, allowed ?? []);
  if (unknown.length > 0) throw fail.mcpUnknownActions({ names: unknown.map((name) => `"${name}"`).join(', ') });
  const access = new AccessList({ allowed, denied: [] }, powerfulOf(commands));
  return commands.filter(({ name }) => access.allows(name)).toSorted((one, other) => (one.name < other.name ? -1 : 1));
}

/** Patterns that no name of a command fits. */
export function unknownOf(commands: readonly ServedCommand[], patterns: readonly string[]): readonly string[] {
  return patterns.filter((pattern) => {
    const access = new AccessList({ allowed: [pattern], denied: [] }, new Set());
    return !commands.some(({ name }) => access.allows(name));
  });
}

/** Commands that start programs or servers. */
export function powerfulOf(commands: readonly ServedCommand[]): ReadonlySet<string> {
  return new Set(commands.filter(({ isPowerful }) => isPowerful).map(({ name }) => name));
}

export function toolOf({ name, summary, parameters }: ServedCommand): Tool {
  return { name, description: summary, inputSchema: parameters };
}
