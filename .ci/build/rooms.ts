import { readFile } from 'node:fs/promises';
import path from 'node:path';

import type { Metafile, OnResolveArgs, OnResolveResult, Plugin, PluginBuild } from 'esbuild';

import { root } from '../steps.ts';

/**
 * Sources that are loaded together. esbuild makes a chunk for every set of entries that share a file, which
 * would be some fifty small files for one verb, and loading a file costs as much as running it. A room's
 * sources share one chunk.
 */
export interface Room {
  readonly name: string;
  /** Its sources are these and what they import, as far as no other room before has it. */
  readonly roots: readonly string[];
  /** Whether a lazily loaded source comes with the room. `needed`: the source with all that it imports. */
  readonly comesWith: (source: string, needed: () => ReadonlySet<string>) => boolean;
}

const ROOM = 'svc-room:';
const DOOR = 'svc-door:';

/** An entry that comes with its rooms, as esbuild takes it. */
export function doorTo(source: string): string {
  return DOOR + source;
}

/** Outputs that are doors. */
export function doorsIn({ outputs }: Metafile): readonly string[] {
  return Object.entries(outputs).flatMap(([file, { entryPoint }]) => (entryPoint?.startsWith(DOOR) ? [file] : []));
}

/**
 * Puts a door before every source that is loaded lazily: it imports the rooms that the source comes with, then the
 * source.
 */
export function roomsPlugin(rooms: readonly Room[], inputs: Metafile['inputs']): Plugin {
  const contents = fill(rooms, inputs);
  return {
    name: 'rooms',
    setup(build) {
      build.onResolve({ filter: new RegExp(`^${ROOM}`) }, ({ path: name }) => ({
        path: name.slice(ROOM.length),
        namespace: ROOM,
        sideEffects: true,
      }));
      build.onLoad({ filter: /.*/, namespace: ROOM }, ({ path: name }) => ({
        contents: contents.get(name) ?? '',
        resolveDir: root,
        loader: 'ts',
      }));
      build.onResolve({ filter: new RegExp(`^${DOOR}|^[#.]`) }, (args) => resolveDoor(args, build));
      build.onLoad({ filter: /.*/, namespace: DOOR }, async ({ path: source }) => ({
        contents: await doorText(source, rooms, () => closure([source], inputs)),
        resolveDir: root,
        loader: 'ts',
      }));
    },
  };
}

/** Imports of a room's sources, by its name. */
function fill(rooms: readonly Room[], inputs: Metafile['inputs']): ReadonlyMap<string, string> {
  const taken = new Set<string>();
  return new Map(
    rooms.map(({ name, roots }) => {
      const own = [...closure(roots, inputs)].filter((source) => !taken.has(source)).sort();
      for (const source of own) taken.add(source);
      return [name, own.map((source) => `import ${JSON.stringify(`./${source}`)};\n`).join('')];
    }),
  );
}

/** Sources of the project that are loaded with some others. */
function closure(roots: readonly string[], inputs: Metafile['inputs']): ReadonlySet<string> {
  const found = new Set<string>();
  const waiting = [...roots];
  for (let source = waiting.pop(); source !== undefined; source = waiting.pop()) {
    if (found.has(source) || source.startsWith('node_modules/')) continue;
    const input = inputs[source];
    if (!input) throw new Error(`${source} is no part of the bundle`);
    found.add(source);
    waiting.push(
      ...input.imports
        .filter(({ kind, external }) => kind === 'import-statement' && external !== true)
        .map((item) => item.path),
    );
  }
  return found;
}

async function resolveDoor(args: OnResolveArgs, { resolve }: PluginBuild): Promise<OnResolveResult | undefined> {
  if (args.path.startsWith(DOOR)) return { path: args.path.slice(DOOR.length), namespace: DOOR, sideEffects: true };
  if (args.kind !== 'dynamic-import' || args.pluginData === DOOR) return undefined;
  const { kind, importer, resolveDir } = args;
  const found = await resolve(args.path, { kind, importer, resolveDir, pluginData: DOOR });
  const isOurs =
    found.errors.length === 0 && !found.external && !found.path.includes(`${path.sep}node_modules${path.sep}`);
  return isOurs ? { path: sourceOf(found.path), namespace: DOOR, sideEffects: true } : undefined;
}

/** From the project's folder: the paths of namespaces other than files become part of a chunk's name as they are. */
function sourceOf(file: string): string {
  return path.relative(root, file).replaceAll(path.sep, '/');
}

async function doorText(source: string, rooms: readonly Room[], needed: () => ReadonlySet<string>): Promise<string> {
  const specifier = JSON.stringify(`./${source}`);
  const hasDefault = /^export default\b/m.test(await readFile(path.join(root, source), 'utf8'));
  return [
    ...rooms
      .filter(({ comesWith }) => comesWith(source, needed))
      .map(({ name }) => `import ${JSON.stringify(ROOM + name)};`),
    `export * from ${specifier};`,
    ...(hasDefault ? [`export { default } from ${specifier};`] : []),
  ].join('\n');
}
