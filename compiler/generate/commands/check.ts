import type { Mistakes } from '../mistakes.ts';

import type { Declaration, DeclaredParameter, Family } from './declaration.ts';

/** Finds what the meta schema cannot say, and leaves out commands whose name is taken. */
export function checkFamilies(families: readonly Family[], mistakes: Mistakes): readonly Family[] {
  const owners = new Map<string, string>();
  const unique = families.map((family) => ({
    ...family,
    commands: family.commands.filter(({ name }) => claim(name, family, owners, mistakes)),
  }));
  for (const family of unique) {
    for (const declaration of family.commands)
      checkCommand(declaration, owners, (text) => mistakes.add(family.file, declaration.name, text));
  }
  return unique;
}

function claim(name: string, family: Family, owners: Map<string, string>, mistakes: Mistakes): boolean {
  const owner = owners.get(name);
  if (owner !== undefined) mistakes.add(family.file, name, `is declared in ${owner} already`);
  else owners.set(name, family.file);
  return owner === undefined;
}

function checkCommand(
  declaration: Declaration,
  owners: ReadonlyMap<string, string>,
  mistake: (text: string) => void,
): void {
  const names = Object.keys(declaration.params);
  for (const name of declaration.required ?? []) {
    if (!names.includes(name)) mistake(`"required" names "${name}", which is no parameter`);
    else if (declaration.params[name]?.schema['default'] !== undefined)
      mistake(`"${name}" is required and has a default`);
  }
  checkSpellings(declaration, mistake);
  checkOrder(declaration, mistake);
  for (const entry of [...(declaration.variables?.defines ?? []), ...(declaration.variables?.reads ?? [])]) {
    const parameter = /^(?:param|file):(.*)$/.exec(entry)?.[1];
    if (parameter !== undefined && !names.includes(parameter))
      mistake(`"variables" names "${entry}", which is no parameter`);
  }
  const { by: _by, form: _form, verb: _verb, ...named } = { by: '', form: '', verb: '', ...declaration.narrows };
  for (const parameter of Object.values(named))
    if (!names.includes(parameter)) mistake(`"narrows" names "${parameter}", which is no parameter`);
  for (const parameter of [declaration.handles?.named, declaration.handles?.unless].flat())
    if (parameter !== undefined && !names.includes(parameter))
      mistake(`"handles" names "${parameter}", which is no parameter`);
  if (declaration.modules && !names.includes(declaration.modules.adds))
    mistake(`"modules" names "${declaration.modules.adds}", which is no parameter`);
  if (
    declaration.effects.includes('pure') &&
    declaration.effects.some((effect) => effect !== 'pure' && effect !== 'clock')
  )
    mistake('"pure" stands beside other effects');
  if (declaration.replaced_by && !owners.has(declaration.replaced_by))
    mistake(`"replaced_by" names "${declaration.replaced_by}", which is no command`);
  if (declaration.replaced_by === declaration.name) mistake('"replaced_by" names the command itself');
  for (const alias of declaration.aliases ?? [])
    if (owners.has(alias)) mistake(`"aliases" names "${alias}", which is a command`);
}

/** No spelling stands for two parameters. */
function checkSpellings(declaration: Declaration, mistake: (text: string) => void): void {
  const seen = new Set(Object.keys(declaration.params));
  for (const [name, parameter] of Object.entries(declaration.params)) {
    for (const alias of parameter.aliases ?? []) {
      if (seen.has(alias)) mistake(`the alias "${alias}" of "${name}" is taken by another parameter`);
      seen.add(alias);
    }
  }
}

/** A variadic parameter ends the positional form. */
function checkOrder(declaration: Declaration, mistake: (text: string) => void): void {
  const entries = Object.entries(declaration.params);
  const positional = entries.filter(([, parameter]) => !parameter.keyword_only);
  positional.forEach(([name, parameter], index) => {
    if (parameter.variadic && index < positional.length - 1)
      mistake(`"${name}" is variadic and "${positional[index + 1]?.[0] ?? ''}" follows it`);
    if (parameter.variadic && parameter.schema['type'] !== 'array')
      mistake(`"${name}" is variadic and its schema is no array`);
  });
  for (const [name, parameter] of entries) {
    const isOn = parameter.language_if;
    if (isOn !== undefined && declaration.params[isOn]?.schema['type'] !== 'boolean')
      mistake(`"${name}" is in its language if "${isOn}" is true, which is no switch of the command`);
    if ((parameter.language === 'locator') !== (parameter.language_by !== undefined))
      mistake(`"${name}" needs \`language_by\` if it is a locator, and only then`);
    if (parameter.language_by !== undefined && !(parameter.language_by in declaration.params))
      mistake(`"${name}" is read by "${parameter.language_by}", which is no parameter of the command`);
    if (parameter.unless !== undefined && !(parameter.unless in declaration.params))
      mistake(`"${name}" runs unless "${parameter.unless}" keeps it from that, which is no parameter of the command`);
    if (parameter.list === 'run' && parameter.unless !== 'dry_run' && 'dry_run' in declaration.params)
      mistake(`"${name}" is a list of steps that "dry_run" keeps from running: it needs \`unless\``);
    if (parameter.list !== undefined && parameter.text !== undefined)
      mistake(`"${name}" is a list of steps and text for later at once`);
    if (parameter.sees !== undefined && parameter.text === undefined)
      mistake(`"${name}" sees names, and is no text for later`);
    if (parameter.sees_instead !== undefined && !(parameter.sees_instead in declaration.params))
      mistake(`"${name}" sees "${parameter.sees_instead}" instead, which is no parameter of the command`);
    checkRole(name, parameter, mistake);
  }
}

/** Holds a parameter to its role: durations count from nothing, everything else but a graph is text. */
function checkRole(name: string, parameter: DeclaredParameter, mistake: (text: string) => void): void {
  const { role, unit, language, schema } = parameter;
  if ((role === 'duration') !== (unit !== undefined))
    mistake(`"${name}" needs a unit if it is a duration, and only then`);
  if (role === 'duration' && !(Number(schema['minimum'] ?? schema['exclusiveMinimum']) >= 0))
    mistake(`"${name}" is a duration and may be less than nothing: its schema needs a minimum`);
  const isNamed = (role !== undefined && role !== 'duration' && role !== 'graph') || language !== undefined;
  if (isNamed && !JSON.stringify(schema).includes('"string"'))
    mistake(`"${name}" has a role or language for texts, and its schema takes none`);
}
