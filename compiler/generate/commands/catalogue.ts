import type { CommandInfo, Parameter } from '#schemas/types/command.ts';
import type { Json } from '#schemas/types/json.ts';

import type { Declaration, Family } from './declaration.ts';
import { familyKey } from './declaration.ts';
import type { Implementations } from './implementations.ts';

const head = '// Generated from stdlib by `npm run generate`. Do not edit.\n';

/** `catalogue.ts`: every name, and how to load the declarations of its family. */
export function catalogueIndex(families: readonly Family[]): string {
  const rows = families.map((family) => {
    const names = family.commands.map(({ name }) => name).join(' ');
    return `  { domain: '${family.domain}', group: '${family.group}', family: '${family.name}', names: '${names}', load: () => import('./catalogue/${familyKey(family)}.ts').then((module) => module.commands) },`;
  });
  return `${head}import type { CommandInfo, Domain } from '../types/command.ts';

export interface FamilyEntry {
  readonly domain: Domain;
  readonly group: string;
  readonly family: string;
  /** Names of its commands in reference order, separated by blanks. */
  readonly names: string;
  readonly load: () => Promise<readonly CommandInfo[]>;
}

export const families: readonly FamilyEntry[] = [
${rows.join('\n')}
];

/** Old, foreign and plain other names, and the command that they mean. */
export const replacements: Readonly<Record<string, string>> = ${JSON.stringify(replacements(families), null, 2)};

/** Old names that are as good as the command's own name. */
export const aliases: readonly string[] = ${JSON.stringify(aliases(families))};
`;
}

function aliases(families: readonly Family[]): readonly string[] {
  return families.flatMap(({ commands }) => commands.flatMap((command) => command.aliases ?? [])).sort();
}

/** Legacy names, plain aliases, and names of public projects that carry a prefix and are no command of ours. */
function replacements(families: readonly Family[]): Readonly<Record<string, string>> {
  const commands = families.flatMap((family) => family.commands);
  const names = new Set(commands.map(({ name }) => name));
  const legacy = commands.flatMap(({ name, replaced_by: by }) => (by ? [[name, by] as const] : []));
  const foreign = commands.flatMap(({ name, aliases_elsewhere: aliases }) =>
    (aliases ?? [])
      .filter((alias) => /^(WR|AT|FA)_\w+$/.test(alias) && !names.has(alias))
      .map((alias) => [alias, name] as const),
  );
  const plain = commands.flatMap(({ name, aliases = [] }) => aliases.map((alias) => [alias, name] as const));
  return Object.fromEntries([...legacy, ...plain, ...foreign].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** The declarations of one family as data. */
export function catalogueChunk(family: Family, implementations: Implementations): string {
  const commands = family.commands.map((declaration) =>
    commandInfo(declaration, family, isImplemented(declaration, implementations)),
  );
  return `${head}import type { CommandInfo } from '../../../types/command.ts';

export const commands: readonly CommandInfo[] = ${JSON.stringify(commands, null, 1)};
`;
}

/** Whether a command can run: an old name is as good as the command that migration writes for it. */
export function isImplemented({ name, replaced_by: by }: Declaration, implementations: Implementations): boolean {
  return implementations.has(name) || (typeof by === 'string' && implementations.has(by));
}

/** Facts about a command for the compiler. */
function commandInfo(declaration: Declaration, family: Family, implemented: boolean): CommandInfo {
  const {
    name,
    summary,
    in_spec,
    returns,
    effects,
    needs,
    repeat,
    gate,
    verdict,
    preview,
    replaced_by: by,
    sessions,
    handles,
    variables,
    narrows,
    steps,
    environment,
    modules,
    examples,
  } = declaration;
  return {
    name,
    domain: family.domain,
    group: family.group,
    family: family.name,
    summary,
    in_spec,
    implemented,
    params: Object.entries(declaration.params).map(([parameter, declared]): Parameter => ({
      name: parameter,
      required: declaration.required?.includes(parameter) ?? false,
      ...(declared.schema['default'] === undefined || declared.list === 'run' || declared.list === 'background'
        ? {}
        : { default: declared.schema['default'] }),
      ...declared,
    })),
    returns,
    effects,
    needs,
    repeat,
    ...(gate ? { gate } : {}),
    ...(verdict ? { verdict } : {}),
    ...(preview ? { preview } : {}),
    ...(by ? { replaced_by: by } : {}),
    ...(sessions ? { sessions } : {}),
    ...(handles ? { handles } : {}),
    ...(variables ? { variables } : {}),
    ...(narrows ? { narrows } : {}),
    ...(steps ? { steps } : {}),
    ...(environment ? { environment } : {}),
    ...(modules ? { modules } : {}),
    ...(declaration.aliases ? { aliases: declaration.aliases } : {}),
    ...(declaration.aliases_elsewhere ? { aliases_elsewhere: declaration.aliases_elsewhere } : {}),
    errors: declaration.errors ?? [],
    notes: declaration.notes ?? [],
    ...(examples?.length ? { examples: examples as readonly Json[] as CommandInfo['examples'] & {} } : {}),
  };
}
