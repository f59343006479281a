import { catalogue } from '#compiler/catalogue.ts';
import { isElsewhere } from '#grammar/storage-uri/is-elsewhere.ts';
import * as fail from '#schemas/generated/failures.ts';
import type { CommandInfo, Parameter } from '#schemas/types/command.ts';
import { isList, type Json, type JsonObject } from '#schemas/types/json.ts';

import type { Confinement } from './confined-files.ts';

/** Statements of SQLite that name a file of their own. */
const NAMES_FILE = /\battach\b|\bvacuum\b[^;]*\binto\b/i;

/**
 * Looks at the paths in the parameters of a command before it is called: programs, browsers and libraries that it hands
 * them to open files past the host. Rejects where one leads out of the folders.
 */
export function confinedPaths(confinement: Confinement): (command: string, args: JsonObject) => Promise<void> {
  return async (command, args) => {
    const info = catalogue.find(command) ?? (await declared(command));
    for (const parameter of info?.params ?? [])
      for (const path of pathsIn(parameter, args[parameter.name] ?? null)) await confinement.check(path);
    const { sql } = args;
    if (info?.needs.includes('sql') && typeof sql === 'string' && NAMES_FILE.test(sql))
      throw fail.inputOutside({ path: sql.slice(0, 200) });
  };
}

async function declared(command: string): Promise<CommandInfo | undefined> {
  await catalogue.prepare([command]);
  return catalogue.get(command);
}

function pathsIn({ role, chooses }: Parameter, value: Json): readonly string[] {
  if (role !== 'local-path') return [];
  const texts = (isList(value) ? value : [value]).filter((text) => typeof text === 'string' && text !== '');
  // Places in storage are looked at by what opens them, which asks the host.
  return (texts as readonly string[]).filter((text) => chooses === undefined || !isElsewhere(text));
}
