import { aliases, families, replacements } from '#schemas/generated/catalogue.ts';
import { validators } from '#schemas/generated/validators.ts';
import type { CommandInfo } from '#schemas/types/command.ts';
import type { Validate } from '#schemas/types/validation.ts';

import { nearCommands } from './near-command.ts';

/** Read-only lookup over the declared commands. Declarations and validators of a family are loaded by `prepare`. */
export interface Catalogue {
  has(name: string): boolean;
  /** Every declared name, in order of domain, group and family. */
  readonly allNames: readonly string[];
  /** Loads the families of these names, so that `get` and `validator` know them. Unknown names are passed over. */
  prepare(names: Iterable<string>): Promise<void>;
  /** Undefined where there is no such command. Throws where it was not prepared. */
  get(name: string): CommandInfo | undefined;
  /** The same for texts that may be no command: undefined also where it was not prepared. */
  find(name: string): CommandInfo | undefined;
  /** Findings of a command's parameters; the same conditions. */
  validator(name: string): Validate | undefined;
  /** The command that an old, foreign or other name means. */
  replacement(name: string): string | undefined;
  /** Whether such a name is as good as the command's own, so that nobody writes the other. */
  isAlias(name: string): boolean;
  /** Names near to one that is not there, at most three; for an old name the one that is written today. */
  didYouMean(name: string): readonly string[];
  /** All declarations of all families. */
  all(): Promise<readonly CommandInfo[]>;
}

interface LoadedFamily {
  readonly commands: ReadonlyMap<string, CommandInfo>;
  readonly validators: Readonly<Record<string, Validate>>;
}

/** Opens the catalogue. It keeps each declaration that it has loaded for as long as it lives. */
export function openCatalogue(): Catalogue {
  const owner = new Map<string, number>();
  families.forEach((family, index) => {
    for (const name of family.names.split(' ')) owner.set(name, index);
  });
  const loading = new Map<number, Promise<void>>();
  const loaded = new Map<number, LoadedFamily>();
  const load = (index: number): Promise<void> => {
    const begun = loading.get(index) ?? loadFamily(index).then((family) => void loaded.set(index, family));
    loading.set(index, begun);
    return begun;
  };
  const familyOf = (name: string): LoadedFamily | undefined => {
    const index = owner.get(name);
    if (index === undefined) return undefined;
    const family = loaded.get(index);
    if (!family) throw new Error(`the catalogue was asked for ${name} before it was prepared`);
    return family;
  };
  const indexes = (names: Iterable<string>): Set<number> =>
    new Set(Array.from(names, (name) => owner.get(name)).filter((index) => index !== undefined));
  return {
    has: (name) => owner.has(name),
    allNames: [...owner.keys()],
    prepare: async (names) => void (await Promise.all(Array.from(indexes(names), load))),
    get: (name) => familyOf(name)?.commands.get(name),
    find: (name) => loaded.get(owner.get(name) ?? -1)?.commands.get(name),
    validator: (name) => familyOf(name)?.validators[name],
    replacement: (name) => (Object.hasOwn(replacements, name) ? replacements[name] : undefined),
    isAlias: (name) => aliases.includes(name),
    didYouMean: (name) => [...new Set(nearCommands(name, [...owner.keys()]).map((near) => replacements[near] ?? near))],
    all: async () => (await Promise.all(families.map((family) => family.load()))).flat(),
  };
}

/** The one catalogue: what it holds is the same for everybody. */
export const catalogue: Catalogue = openCatalogue();

/** Every declared name, in order of domain, group and family. */
export function allNames(): readonly string[] {
  return catalogue.allNames;
}

async function loadFamily(index: number): Promise<LoadedFamily> {
  const family = families[index];
  if (!family) throw new Error(`there is no family ${index}`);
  const [commands, checks] = await Promise.all([
    family.load(),
    validators[`${family.domain}/${family.family}`]?.() ?? {},
  ]);
  return { commands: new Map(commands.map((command) => [command.name, command])), validators: checks };
}
