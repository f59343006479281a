import { dirname, join } from 'node:path';

import type { Compilation, LoadedFile } from '#compiler/api.ts';
import { catalogue } from '#compiler/catalogue.ts';
import { STDIN } from '#compiler/phases/4-resolve/files.ts';
import {
  isProfile,
  profilesOf,
  readKeys,
  type Looking,
  type Profile,
} from '#compiler/phases/4-resolve/outside/profiles.ts';
import { ROOT_MARKS } from '#compiler/reader.ts';
import { findSecrets } from '#grammar/secret/find-secrets.ts';
import type { Host } from '#schemas/types/host.ts';
import { isSecretKey } from '#schemas/types/secret-key.ts';

import { trackedFiles } from './tracked-files.ts';
import { usedKeys, type UsedKey } from './used-keys.ts';

/** Finding about the environment keys of a project. */
export type EnvironmentFinding =
  /**
   * A key that is used without a default: `lacking` names the profiles that have none; all of them where `has` is
   * empty.
   */
  | {
      readonly kind: 'lacking';
      readonly key: string;
      readonly lacking: readonly string[];
      readonly has: readonly string[];
      readonly places: readonly Place[];
    }
  | { readonly kind: 'unused'; readonly key: string; readonly places: readonly Place[] }
  /** A secret in a file that git tracks. */
  | { readonly kind: 'tracked-secret'; readonly key: string; readonly places: readonly Place[] };

export interface Place {
  readonly file: string;
  readonly line: number;
  readonly column?: number;
}

/** A folder with the profiles that its action files may run with. */
export interface FolderProfiles {
  readonly folder: string;
  readonly profiles: readonly Profile[];
}

/** Name of a profile that nobody has named. */
export const UNNAMED = '.env';

const passedOver = new Set(['node_modules', 'dist', '.git', '.svc', '.cache']);
/** Greatest depth of folders that are looked into. */
const DEEPEST = 20;

/**
 * Every folder of a project that holds files of environment variables, with its profiles. A folder below that is the
 * root of another project is left to that one.
 */
export async function foldersWithProfiles(looking: Looking): Promise<readonly FolderProfiles[]> {
  const found: FolderProfiles[] = [];
  const visit = async (folder: string, depth: number): Promise<void> => {
    const entries = await looking.reader.list(folder);
    if (depth > 0 && entries.some(({ name }) => ROOT_MARKS.includes(name))) return;
    if (entries.some(({ name, kind }) => kind !== 'directory' && isProfile(name)))
      found.push({ folder, profiles: await profilesOf(folder, looking) });
    const below = entries.filter(({ name, kind }) => kind === 'directory' && !passedOver.has(name));
    for (const { name } of depth < DEEPEST ? below : []) await visit(join(folder, name), depth + 1);
  };
  await visit(looking.root, 0);
  return found;
}

/**
 * Holds the keys that files use to the profiles that they may run with. Keys that the process gives count as given.
 * `isWhole`: the files are all that the project has, so that keys nobody uses are told, too.
 */
export async function checkEnvironments(
  compilation: Compilation,
  looking: Looking & { readonly host: Host },
  isWhole: boolean,
): Promise<readonly EnvironmentFinding[]> {
  const { host } = looking;
  const used = new Map<string, UsedKey[]>();
  const lacking = new Lacking();
  const profiles = new Map<string, Promise<readonly Profile[]>>();
  for (const file of compilation.files) {
    const keys = usedKeys(file);
    for (const use of keys) used.set(use.key, [...(used.get(use.key) ?? []), use]);
    if (loadsMore(file)) continue;
    const folder = file.path === STDIN ? host.cwd : dirname(file.path);
    const known = profiles.get(folder) ?? profilesOf(folder, looking);
    profiles.set(folder, known);
    const all = await known;
    const own = ofFile(file, all);
    for (const use of keys) if (!use.isOptional && host.env[use.key] === undefined) lacking.add(use, own, all);
  }
  const named = new Set([...used.keys(), ...keysNamed(compilation)]);
  return [
    ...lacking.findings(),
    ...(isWhole ? await unused(named, looking) : []),
    ...(await trackedSecrets(looking, host)),
  ];
}

/** A file that names its environment runs with that one. */
function ofFile({ file }: LoadedFile, profiles: readonly Profile[]): readonly Profile[] {
  const name = file?.meta.env;
  const own = name === undefined ? [] : profiles.filter((profile) => profile.name === name);
  return own.length > 0 ? own : profiles;
}

/** Whether a step may add keys that only a run knows. */
function loadsMore({ file }: LoadedFile): boolean {
  const steps = [file?.setup, file?.body, file?.teardown].flatMap((list) => list?.steps ?? []);
  return steps.some(({ command }) => catalogue.get(command)?.environment === 'loads');
}

/** Keys that parameters name. */
function keysNamed(compilation: Compilation): readonly string[] {
  return compilation.files
    .filter(({ source, isUsed }) => !isUsed && !compilation.isBroken(source))
    .flatMap(({ source }) => compilation.units(source).flatMap(({ unit }) => unit.needs.env));
}

class Lacking {
  readonly #keys = new Map<
    string,
    { readonly lacking: Set<string>; readonly has: Set<string>; readonly places: Place[] }
  >();

  /** Holds a use to the profiles that its file runs with; others of the folder may have the key. */
  add({ key, file, line, column }: UsedKey, profiles: readonly Profile[], all: readonly Profile[]): void {
    const without = profiles.filter(({ keys }) => !keys.has(key));
    if (without.length === 0 && profiles.length > 0) return;
    const known = this.#keys.get(key) ?? { lacking: new Set(), has: new Set(), places: [] };
    this.#keys.set(key, known);
    for (const { name = UNNAMED } of without) known.lacking.add(name);
    for (const { name = UNNAMED, keys } of all) if (keys.has(key)) known.has.add(name);
    known.places.push({ file, line, column });
  }

  findings(): readonly EnvironmentFinding[] {
    return [...this.#keys].toSorted(byName).map(([key, { lacking, has, places }]) => ({
      kind: 'lacking',
      key,
      lacking: [...lacking].toSorted(),
      has: [...has].toSorted(),
      places,
    }));
  }
}

async function unused(used: ReadonlySet<string>, looking: Looking): Promise<readonly EnvironmentFinding[]> {
  const places = new Map<string, Place[]>();
  for (const { profiles } of await foldersWithProfiles(looking))
    for (const { keys } of profiles)
      for (const [key, { file, line }] of keys) {
        if (used.has(key)) continue;
        const known = places.get(key) ?? [];
        if (!known.some((place) => place.file === file)) known.push({ file, line });
        places.set(key, known);
      }
  return [...places].toSorted(byName).map(([key, found]) => ({ kind: 'unused', key, places: found }));
}

/** Secrets by their names or their forms in files of environment variables that are part of the repository. */
async function trackedSecrets(looking: Looking, { files }: Host): Promise<readonly EnvironmentFinding[]> {
  const tracked = await trackedFiles(looking.root, files);
  const found: EnvironmentFinding[] = [];
  for (const path of [...(tracked ?? [])].toSorted()) {
    if (!isProfile(path.slice(dirname(path).length + 1)) || (await looking.reader.find(path))?.kind !== 'file')
      continue;
    const { file, keys } = await readKeys(path, looking);
    for (const [key, { line, value }] of keys)
      if (value !== '' && (isSecretKey(key) || findSecrets(value, key).length > 0))
        found.push({ kind: 'tracked-secret', key, places: [{ file, line }] });
  }
  return found;
}

function byName([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number {
  return one < other ? -1 : 1;
}
