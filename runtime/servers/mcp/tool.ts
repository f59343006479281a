import type { Json, JsonObject } from '#schemas/types/json.ts';

import type { ServedCommand } from '../action-calls.ts';
import type { ToolAnnotations } from './annotations.ts';
import type { AssistantCalls, AssistantOptions } from './assistant-calls.ts';
import { confirm, ownTools } from './own-tools.ts';

/** A tool as hosts see it. */
export interface ListedTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonObject;
  readonly annotations: ToolAnnotations;
}

export interface ServedTool extends ListedTool {
  /** Arguments by their other names, which are taken and not shown. */
  readonly aliases?: ReadonlyMap<string, string>;
  call(given: JsonObject, calls: AssistantCalls, options: AssistantOptions): Promise<Json>;
}

/** The tools of a server: its own, then each command that the access list lets through. */
export function toolsOf(commands: readonly ServedCommand[]): ReadonlyMap<string, ServedTool> {
  const names = new Set(commands.map(({ name }) => name));
  const own = ownTools.filter(({ command }) => command === undefined || names.has(command));
  return new Map([...own, ...commands.map(commandTool)].map((tool) => [tool.name, tool]));
}

export function listed({ name, description, inputSchema, annotations }: ServedTool): ListedTool {
  return { name, description, inputSchema, annotations };
}

/** Arguments under their own names. One that is given twice keeps its other name, which does not fit then. */
export function named(given: JsonObject, { aliases }: Pick<ServedTool, 'aliases'>): JsonObject {
  const nameOf = (key: string): string => {
    const name = aliases?.get(key);
    return name === undefined || Object.hasOwn(given, name) ? key : name;
  };
  return Object.fromEntries(Object.entries(given).map(([key, value]) => [nameOf(key), value]));
}

const outside: ReadonlySet<string> = new Set(['fs-write', 'process', 'db', 'browser', 'network']);

/** A command that may change something takes `confirm` beside its own parameters; none of them is called so. */
function commandTool({ name, summary, parameters, aliases, effects, repeat }: ServedCommand): ServedTool {
  const isReading = repeat === 'pure' || !effects.some((effect) => outside.has(effect) || effect === 'state');
  const properties = { ...(parameters['properties'] as JsonObject), ...(!isReading && { confirm }) };
  return {
    name,
    description: summary,
    aliases,
    inputSchema: { ...parameters, properties },
    annotations: {
      readOnlyHint: isReading,
      destructiveHint: !isReading && effects.some((effect) => outside.has(effect)),
      idempotentHint: repeat !== 'once',
      openWorldHint: effects.includes('network') || effects.includes('browser'),
    },
    call: async ({ confirm: _confirmed, ...given }, calls, options) => {
      const { isDry, results } = await calls.run([[name, given]], options);
      const result = results[0] as JsonObject;
      if (isDry)
        return { dry_run: true, would_run: [name, given], note: 'Nothing has run. Call again with "confirm": true.' };
      if (result['status'] === 'error') throw new CommandFailed(result);
      return result['value'] ?? null;
    },
  };
}

/** A command that ran and failed. */
export class CommandFailed extends Error {
  /** Value that it had all the same: what differs, what became of the steps in its list. */
  readonly value: Json;

  constructor({ error = null, value = null }: JsonObject) {
    const { type, message } = (typeof error === 'object' && error !== null ? error : {}) as JsonObject;
    super(typeof message === 'string' ? `${String(type)}: ${message}` : JSON.stringify(error));
    this.value = value;
  }
}
