import { catalogue } from '#compiler/catalogue.ts';
import type { CommandInfo } from '#schemas/types/command.ts';

const outside: ReadonlySet<string> = new Set(['fs-write', 'process', 'db', 'browser']);

/**
 * Whether any of these commands changes something outside of this process, or runs what cannot be seen beforehand. A
 * request of an API test does not count: what it sends is the test itself.
 */
export async function changesOutside(names: readonly string[]): Promise<boolean> {
  await catalogue.prepare([...names]);
  return names.some((name) => {
    const info = catalogue.get(name);
    return info !== undefined && changes(info);
  });
}

function changes({ name, effects, repeat, steps }: CommandInfo): boolean {
  if (steps === 'unknown' && repeat !== 'pure') return true;
  if (effects.some((effect) => outside.has(effect))) return true;
  return effects.includes('network') && repeat !== 'pure' && !name.startsWith('AT_');
}
