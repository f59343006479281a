import { catalogue } from '#compiler/catalogue.ts';
import { typeText } from '#compiler/type-text.ts';
import type { ActionSource, Compiler, ListedCommand } from '#runtime/adapters/compiler/port.ts';
import type { PortContext } from '#runtime/kernel/ports.ts';
import type { CommandInfo } from '#schemas/types/command.ts';
import type { JsonObject } from '#schemas/types/json.ts';

import { ListThreads } from './lists/list-threads.ts';
import type { Look, Looked } from './lists/look-at-actions.ts';
import { readSchema } from './schemas.ts';

/** Surroundings of the tools, whose threads end with the unit. */
export interface ActionToolsAround extends Pick<PortContext, 'host' | 'release'>, Pick<Look, 'root' | 'here'> {}

/** Answers of the compiler to commands about action files (the port `compiler`). */
export function actionTools({ host, root, here, release }: ActionToolsAround): Compiler {
  const threads = new ListThreads();
  release(() => threads.close());
  const look = <Purpose extends keyof Looked>(purpose: Purpose, source: ActionSource, signal: AbortSignal) =>
    threads.look({ purpose, of: given(source), root, here }, host, signal) as Promise<Looked[Purpose]>;
  return {
    check: (source, signal) => look('check', source, signal),
    lint: (source, signal) => look('lint', source, signal),
    migrate: (source, signal) => look('migrate', source, signal),
    schema: async () => JSON.parse(await readSchema('action-file')) as JsonObject,
    commands: async () => (await catalogue.all()).map(listed).toSorted(byName),
  };
}

function given(source: ActionSource): Look['of'] {
  return 'path' in source ? source : { content: JSON.stringify(source.data) };
}

function listed({ name, params, summary, implemented }: CommandInfo): ListedCommand {
  const signature = params.map(
    ({ name: each, schema, required }) => `${each}${required ? '' : '?'}: ${typeText(schema)}`,
  );
  return { name, signature: `(${signature.join(', ')})`, summary, implemented };
}

function byName(one: ListedCommand, other: ListedCommand): number {
  const [left, right] = [one.name.toLowerCase(), other.name.toLowerCase()];
  return left < right ? -1 : left > right ? 1 : 0;
}
