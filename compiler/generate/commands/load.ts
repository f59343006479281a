import { dirname } from 'node:path';

import type { Json, JsonObject } from '#schemas/types/json.ts';
import { isObject } from '#schemas/types/json.ts';

import { findFiles } from '../find-files.ts';
import { fits, holdsTo } from '../meta-schema.ts';
import type { Mistakes } from '../mistakes.ts';
import { readYaml } from '../read-yaml.ts';

import { checkFamilies } from './check.ts';
import type { Declaration, Family } from './declaration.ts';
import { familyKey } from './declaration.ts';

const prefixOf = { browser: 'WR_', api: 'AT_', files: 'FA_' } as const;

/** Every family of `stdlib`, in order of path. A family that is not sound is a mistake and left out. */
export function loadFamilies(root: string, mistakes: Mistakes): readonly Family[] {
  const shared = readYaml(root, 'schemas/meta/types.yaml', mistakes);
  const families = findFiles(root, 'stdlib', (name) => name === 'commands.yaml').flatMap((file) => {
    const family = loadFamily(root, file, isObject(shared) ? shared : {}, mistakes);
    return family ? [family] : [];
  });
  return checkFamilies(onePerKey(families, mistakes), mistakes);
}

function loadFamily(root: string, file: string, shared: JsonObject, mistakes: Mistakes): Family | undefined {
  const place = /^stdlib\/(browser|api|files)\/([a-z0-9-]+)\/([a-z0-9-]+)\/commands\.yaml$/.exec(file);
  if (!place) {
    mistakes.add(file, '', 'a family stands in stdlib/<browser|api|files>/<group>/<family>/');
    return undefined;
  }
  const content = readYaml(root, file, mistakes);
  if (content === undefined || !isObject(content)) return undefined;
  const sound = holdsTo(root, 'command.schema.json', content, file, mistakes)
    ? content['commands']
    : soundOnes(root, content['commands']);
  const [, domain, group, name] = place as unknown as [string, keyof typeof prefixOf, string, string];
  const types = { ...shared, ...(isObject(content['types']) ? content['types'] : {}) };
  const resolve = (value: Json, where: string): Json =>
    writeOut(value, types, (text) => mistakes.add(file, where, text));
  const commands = (sound as unknown as readonly Declaration[]).map((declaration) => writtenOut(declaration, resolve));
  for (const { name: command } of commands) {
    if (!command.startsWith(prefixOf[domain]))
      mistakes.add(file, command, `commands of ${domain} begin with ${prefixOf[domain]}`);
  }
  return { domain, group, name, folder: dirname(file), file, complete: content['complete'] === true, commands };
}

/** One broken command takes no others with it. */
function soundOnes(root: string, commands: Json | undefined): readonly Json[] {
  const all = Array.isArray(commands) ? (commands as readonly Json[]) : [];
  return all.filter((command) => fits(root, 'command.schema.json', { complete: false, commands: [command] }));
}

function writtenOut(declaration: Declaration, resolve: (value: Json, where: string) => Json): Declaration {
  const params = Object.entries(declaration.params).map(
    ([name, parameter]) =>
      [
        name,
        { ...parameter, schema: resolve(parameter.schema, `${declaration.name}.params.${name}`) as JsonObject },
      ] as const,
  );
  return {
    ...declaration,
    params: Object.fromEntries(params),
    returns: resolve(declaration.returns, `${declaration.name}.returns`) as JsonObject,
  };
}

/** Puts shared schemas in place of `$ref`; keywords beside one are added to it. */
function writeOut(
  value: Json,
  types: JsonObject,
  mistake: (text: string) => void,
  within: readonly string[] = [],
): Json {
  if (Array.isArray(value)) return (value as readonly Json[]).map((item) => writeOut(item, types, mistake, within));
  if (!isObject(value)) return value;
  const { $ref: reference, ...rest } = value;
  const others = Object.fromEntries(
    Object.entries(rest).map(([key, item]) => [
      key,
      key === 'default' || key === 'const' ? item : writeOut(item, types, mistake, within),
    ]),
  );
  if (typeof reference !== 'string') return others;
  const name = reference.slice('#/types/'.length);
  const target = types[name];
  if (target === undefined || within.includes(name)) {
    mistake(
      target === undefined ? `there is no shared schema "${name}"` : `the shared schema "${name}" refers to itself`,
    );
    return others;
  }
  return { ...(writeOut(target, types, mistake, [...within, name]) as JsonObject), ...others };
}

function onePerKey(families: readonly Family[], mistakes: Mistakes): readonly Family[] {
  const seen = new Map<string, Family>();
  return families.filter((family) => {
    const earlier = seen.get(familyKey(family));
    if (earlier) mistakes.add(family.file, '', `${earlier.file} declares a family of that name already`);
    else seen.set(familyKey(family), family);
    return !earlier;
  });
}
