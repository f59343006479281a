import { dirname, join } from 'node:path';

import type { Reader } from '#compiler/reader.ts';
import type { Parameter } from '#schemas/types/command.ts';
import { isList, isObject, type Json, type JsonObject } from '#schemas/types/json.ts';

/** The folder of a package, and a reader that may look into it. */
export interface InstalledPackage {
  readonly home: string;
  readonly reader: Reader;
}

/** The folder of a package that is installed beside a folder or above it. */
export async function installedPackage(
  name: string,
  folder: string,
  reader: Reader,
): Promise<InstalledPackage | undefined> {
  for (let at = folder; ; at = dirname(at)) {
    const home = join(at, 'node_modules', name);
    // As Node looks for it: above the project root too, but not where a link leads out of the folder that holds it.
    const near = reader.beside(dirname(at) === at ? join(at, 'node_modules') : at);
    if ((await near.find(home))?.kind === 'directory') return { home, reader: near };
    if (dirname(at) === at) return undefined;
  }
}

/** Its version; undefined where it is not installed, or does not say. */
export async function installedVersion(name: string, folder: string, reader: Reader): Promise<string | undefined> {
  const found = await installedPackage(name, folder, reader);
  const version = found && (await manifestOf(found))['version'];
  return typeof version === 'string' ? version : undefined;
}

/** Commands of a package that is a plugin. */
export interface InstalledPlugin {
  /** Names that its `package.json` lists; undefined where only a run can know them. */
  readonly commands: readonly string[] | undefined;
  /** Parameters of the commands that declare them there; any other takes what it takes. */
  readonly params: ReadonlyMap<string, readonly Parameter[]>;
}

/** The plugin in a package; undefined for any other. Nothing of it is run. */
export async function installedPlugin(found: InstalledPackage): Promise<InstalledPlugin | undefined> {
  const own = (await manifestOf(found).catch(() => undefined))?.['svc'];
  if (own === undefined || !isObject(own) || own['actions'] === undefined) return undefined;
  const listed = own['commands'];
  if (isObject(listed)) return { commands: Object.keys(listed), params: declaredParams(listed) };
  const isNames = isList(listed) && listed.every((name) => typeof name === 'string');
  return { commands: isNames ? listed : undefined, params: new Map() };
}

/** Parameters by command, as `{ "NAME": { "params": { "x": { "schema": {} } }, "required": ["x"] } }` has them. */
function declaredParams(listed: JsonObject): ReadonlyMap<string, readonly Parameter[]> {
  const declared = new Map<string, readonly Parameter[]>();
  for (const [command, given] of Object.entries(listed)) {
    if (!isObject(given) || !isObject(given['params'])) continue;
    const required = isList(given['required']) ? given['required'] : [];
    const params = Object.entries(given['params']).map(([name, facts]): Parameter => {
      const { schema = {}, about = '' } = isObject(facts) ? facts : {};
      return {
        name,
        about: typeof about === 'string' ? about : '',
        schema: isObject(schema) ? schema : {},
        required: required.includes(name),
      };
    });
    declared.set(command, params);
  }
  return declared;
}

async function manifestOf({ home, reader }: InstalledPackage): Promise<JsonObject> {
  const path = join(home, 'package.json');
  if ((await reader.find(path))?.kind !== 'file') return {};
  const manifest = JSON.parse(new TextDecoder().decode(await reader.read(path))) as Json;
  return isObject(manifest) ? manifest : {};
}
