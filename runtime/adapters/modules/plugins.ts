import { join, resolve, sep } from 'node:path';
import { pathToFileURL } from 'node:url';

import * as fail from '#schemas/generated/failures.ts';
import type { Effect } from '#schemas/types/command.ts';
import type { Clock, Files } from '#schemas/types/host.ts';
import { isObject, type JsonObject } from '#schemas/types/json.ts';

import { importWhole } from './import-whole.ts';
import { inTime } from './in-time.ts';
import { withoutLeftRejections } from './left-rejections.ts';
import { withoutEndlessLoop, type Warn } from './without-endless-loop.ts';
import { withoutExit } from './without-exit.ts';
import type { LoadedPlugin, ModuleFunction } from './port.ts';
import { homeOf } from './resolve-package.ts';

/** Tools that finding and loading plugins needs. */
export interface PluginTools {
  readonly files: Files;
  readonly clock: Clock;
  /** A plugin that takes longer to say what it has is left out, whether it waits or loops. */
  readonly seconds: number;
  /** The project: what its `package.json` asks for is looked at. */
  readonly root: string;
  /** Reason that nothing of a package may be loaded; undefined where it may. Asked before anything of it runs. */
  refusal(name: string): string | undefined;
}

interface Declared {
  readonly name: string;
  readonly version: string | null;
  /** `./file#function`, as its `package.json` has it. */
  readonly target: string;
  readonly home: string;
  /** Commands that its `package.json` lists. */
  readonly listed?: readonly string[];
  readonly problem?: string;
}

const LARGEST_MANIFEST = 1024 * 1024;
const EFFECTS: ReadonlySet<string> = new Set<Effect>([
  'pure',
  'browser',
  'network',
  'fs-read',
  'fs-write',
  'process',
  'db',
  'env',
  'state',
  'clock',
]);

/**
 * The plugins of a project, in the order of their names: packages that its `package.json` asks for and that say
 * `svc.actions`. One that is broken is named and left out; the others are not touched by it.
 */
export async function loadPlugins(tools: PluginTools): Promise<readonly LoadedPlugin[]> {
  const declared = await declaredPlugins(tools);
  if (declared.length === 0) return [];
  return withoutEndlessLoop(tools.seconds * 1000, (warn) => loadAll(tools, declared, warn));
}

async function loadAll(tools: PluginTools, all: readonly Declared[], warn: Warn): Promise<readonly LoadedPlugin[]> {
  const taken = new Map<string, string>();
  const loaded: LoadedPlugin[] = [];
  for (const declared of all) {
    warn(heldBy(declared.name, tools.seconds));
    const plugin = await loadedOrNamed(tools, declared, taken);
    for (const command of plugin.commands) taken.set(command, plugin.name);
    loaded.push(plugin);
  }
  return loaded;
}

/** The plugin in the folder of an installed package; undefined for a package that is none. */
export async function loadPlugin(
  tools: Omit<PluginTools, 'root' | 'refusal'>,
  name: string,
  home: string,
): Promise<LoadedPlugin | undefined> {
  const declared = await declaredBy(name, home, tools.files);
  if (declared === undefined) return undefined;
  return withoutEndlessLoop(tools.seconds * 1000, (warn) => {
    warn(heldBy(name, tools.seconds));
    return loadedOrNamed({ ...tools, refusal: () => undefined }, declared, new Map());
  });
}

/** Words for a module that loops for ever, told beside its error: the process may end when the loop is ended. */
export function heldBy(module: string, seconds: number): string {
  return `warning: ${fail.moduleBroken({ module, reason: `it held the process for ${seconds} s` }).message}`;
}

async function loadedOrNamed(
  tools: Omit<PluginTools, 'root'>,
  declared: Declared,
  taken: ReadonlyMap<string, string>,
): Promise<LoadedPlugin> {
  const { name, version, target } = declared;
  const facts = { name, version, target };
  try {
    const refusal = declared.problem ?? tools.refusal(name);
    if (refusal !== undefined) throw new Error(refusal);
    const given = await registered(tools, declared);
    const functions: Record<string, ModuleFunction> = {};
    const effects: Record<string, readonly string[]> = {};
    for (const [command, value] of given) {
      const read = readCommand(command, value, taken);
      functions[command] = read.run;
      if (read.effects) effects[command] = read.effects;
    }
    const commands = Object.keys(functions).sort();
    requireListed(declared.listed, commands);
    return { ...facts, commands, effects, error: null, functions };
  } catch (error) {
    const reason =
      error instanceof SyntaxError
        ? `SyntaxError: ${error.message}`
        : error instanceof Error
          ? error.message
          : String(error);
    return { ...facts, commands: [], effects: {}, error: reason.slice(0, 500), functions: {} };
  }
}

/** Fails where its `package.json` lists other commands: action files are checked by that list. */
function requireListed(listed: readonly string[] | undefined, commands: readonly string[]): void {
  const [odd] = listed === undefined ? [] : [...new Set(listed).symmetricDifference(new Set(commands))];
  if (odd === undefined) return;
  const isListed = listed?.includes(odd) === true;
  throw new Error(isListed ? `"svc.commands" lists "${odd}", which it does not give` : `"svc.commands" lacks "${odd}"`);
}

/** Calls the function that the package names, and takes a map of commands from it. */
async function registered(
  { files, clock, seconds }: Omit<PluginTools, 'root' | 'refusal'>,
  { name, home, target }: Declared,
): Promise<[string, unknown][]> {
  const { file, exported } = /^(?<file>\.\/[^#]+)#(?<exported>[A-Za-z_$][\w$]*)$/.exec(target)?.groups ?? {};
  if (file === undefined || exported === undefined)
    throw new Error(`"${target}" is not of the form ./file.js#function`);
  const real = await files.realPath(home);
  const path = await files.realPath(resolve(real, file)).catch(() => undefined);
  if (path === undefined) throw new Error(`there is no file "${file}" in it`);
  if (!path.startsWith(real + sep)) throw new Error(`"${file}" leads out of the package`);
  const work = async (): Promise<unknown> => {
    const { namespace } = await importWhole(pathToFileURL(path).href);
    const found = Object.hasOwn(namespace, exported) ? namespace[exported] : undefined;
    if (typeof found !== 'function') throw new Error(`it exports no function "${exported}"`);
    return await (Reflect.apply(found, undefined, []) as unknown);
  };
  const sentence = `it did not say within ${seconds} s what it has`;
  const loaded = { name, home: real };
  const given = await withoutExit(() => withoutLeftRejections(loaded, () => inTime(clock, seconds, sentence, work)));
  if (given instanceof Map) return [...given].map(([key, value]) => [String(key), value]);
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    throw new Error('it gives no map of commands');
  return Object.entries(given);
}

interface ReadCommand {
  readonly run: ModuleFunction;
  readonly effects?: readonly string[];
}

/** A function, or an object with `run` that says more. Names of the standard library are never replaced. */
function readCommand(name: string, given: unknown, taken: ReadonlyMap<string, string>): ReadCommand {
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name) || name === '__proto__')
    throw new Error(`"${name}" is no command name: letters, digits and underscores`);
  if (/^(?:AT|FA|WR)_/.test(name)) throw new Error(`"${name}" begins as commands of the standard library do`);
  const other = taken.get(name);
  if (other !== undefined) throw new Error(`"${name}" is a command of "${other}" already`);
  if (typeof given === 'function') return { run: given as ModuleFunction };
  if (!isObject(given) || typeof given['run'] !== 'function')
    throw new Error(`"${name}" is neither a function nor has it "run"`);
  const { run, effects, params, returns, summary } = given as Record<string, unknown>;
  for (const [key, value] of Object.entries({ params, returns }))
    if (value !== undefined && !isObject(value)) throw new Error(`"${key}" of "${name}" is no object`);
  if (summary !== undefined && typeof summary !== 'string') throw new Error(`"summary" of "${name}" is no text`);
  if (effects === undefined) return { run: run as ModuleFunction };
  if (!Array.isArray(effects) || !effects.every((effect) => typeof effect === 'string' && EFFECTS.has(effect)))
    throw new Error(`"effects" of "${name}" may hold ${[...EFFECTS].join(', ')}`);
  return { run: run as ModuleFunction, effects: effects as string[] };
}

async function declaredPlugins({ files, root }: PluginTools): Promise<readonly Declared[]> {
  const project = await manifestAt(root, files);
  const names = ['dependencies', 'devDependencies', 'optionalDependencies'].flatMap((key) =>
    Object.keys(isObject(project?.[key]) ? project[key] : {}),
  );
  const found: Declared[] = [];
  for (const name of [...new Set(names)].sort()) {
    const home = isName(name) ? await homeOf(name, root, files) : undefined;
    const declared = home === undefined ? undefined : await declaredBy(name, home, files);
    if (declared) found.push(declared);
  }
  return found;
}

async function declaredBy(name: string, home: string, files: Files): Promise<Declared | undefined> {
  const manifest = await manifestAt(home, files).catch(() => 'broken' as const);
  if (manifest === 'broken')
    return { name, version: null, target: '', home, problem: 'its package.json cannot be read' };
  const own = manifest?.['svc'];
  if (!isObject(own) || own['actions'] === undefined) return undefined;
  const { version } = manifest ?? {};
  const [target, declared = null] = [own['actions'], own['commands']];
  // By name, where their parameters are declared too.
  const listed = isObject(declared) ? Object.keys(declared) : declared;
  const isList = Array.isArray(listed) && listed.every((each) => typeof each === 'string');
  return {
    name,
    version: typeof version === 'string' ? version : null,
    target: typeof target === 'string' ? target : '',
    home,
    ...(isList && { listed }),
    ...(listed !== null && !isList && { problem: '"svc.commands" is neither a list of names nor an object' }),
    ...(typeof target !== 'string' && { problem: '"svc.actions" is no text' }),
  };
}

/** Undefined where there is none. Throws where it is no JSON object. */
async function manifestAt(folder: string, files: Files): Promise<JsonObject | undefined> {
  const path = join(folder, 'package.json');
  if ((await files.find(path))?.kind !== 'file') return undefined;
  const bytes = await files.readRegular(path, { limit: LARGEST_MANIFEST });
  const manifest = JSON.parse(new TextDecoder().decode(bytes)) as unknown;
  if (!isObject(manifest)) throw new Error('no object');
  return manifest;
}

/** Whether it is the name of a package: one that begins with a dot leads elsewhere. */
function isName(name: string): boolean {
  return /^(?:@[\w.-]+\/)?[\w-][\w.-]*$/.test(name);
}
