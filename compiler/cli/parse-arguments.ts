import { parseArgs } from 'node:util';

import * as fail from '#schemas/generated/failures.ts';
import { didYouMean } from '#compiler/did-you-mean.ts';
import { nearest } from '#compiler/engine/nearest.ts';
import type { Option, ParsedArguments, Verb } from '#schemas/types/cli.ts';

/**
 * Reads what stands behind a verb, by the verb's declaration. Fails (wrong use) for anything that the declaration does
 * not know: options, values, counts, arguments.
 */
export function parseArguments(verb: Verb, argv: readonly string[]): ParsedArguments {
  const byName = new Map(verb.options.map((option) => [option.name, option]));
  const { tokens } = parseArgs({
    args: [...argv],
    options: parserOptions(verb),
    allowPositionals: true,
    strict: false,
    tokens: true,
  });
  const positional: string[] = [];
  const options: Record<string, string | true | string[]> = {};
  const given: Option[] = [];
  for (const token of tokens) {
    if (token.kind === 'positional') positional.push(token.value);
    if (token.kind !== 'option') continue;
    const option = byName.get(token.name) ?? unknownOption(verb, token.rawName);
    // `--record --json`: the value was forgotten. Behind an equals sign it is meant so.
    const isForgotten = !token.inlineValue && token.value !== undefined && isOption(verb, token.value);
    store(options, option, readValue(option, isForgotten ? undefined : token.value));
    given.push(option);
  }
  checkPositional(verb, positional);
  checkAction(verb, positional[0], given);
  for (const option of verb.options) {
    if (option.default !== undefined) options[option.name] ??= option.default;
  }
  return { positional, options };
}

function parserOptions(verb: Verb): Record<string, { type: 'string' | 'boolean'; short?: string; multiple: true }> {
  return Object.fromEntries(
    verb.options.map((option) => [
      option.name,
      {
        type: option.value === undefined ? 'boolean' : 'string',
        multiple: true,
        ...(option.short && { short: option.short }),
      },
    ]),
  );
}

function isOption({ options }: Verb, word: string): boolean {
  const [name] = word.split('=', 1);
  return ['--help', '-h'].includes(word) || options.some((one) => name === `--${one.name}` || word === `-${one.short}`);
}

/** Fails for an option that belongs to other actions of the verb: nothing would come of it. */
function checkAction(verb: Verb, action: string | undefined, given: readonly Option[]): void {
  const foreign = given.find((option) => action !== undefined && option.for?.includes(action) === false);
  if (foreign === undefined) return;
  const help = `It belongs to ${(foreign.for ?? []).map((one) => `\`svc ${verb.name} ${one}\``).join(' and ')}.`;
  throw fail.unknownOption({ verb: `${verb.name} ${action ?? ''}`, option: `--${foreign.name}`, help });
}

function unknownOption(verb: Verb, given: string): never {
  const names = verb.options.map((option) => option.name);
  throw fail.unknownOption({ verb: verb.name, option: given, ...nearestOption(given.replace(/^--?/, ''), names) });
}

/** Options of which a whole word was given come first: `--secret` means `--shared-secret`, no name of like length. */
function nearestOption(given: string, names: readonly string[]): { help?: string } {
  const longer = names.filter((name) => given.length > 2 && `-${name}-`.includes(`-${given}-`));
  const offered = (name: string): string => `"--${name}"`;
  const near = longer.length > 0 ? longer.slice(0, 3) : didYouMean(given, names);
  return near.length > 0 ? { help: `Did you mean ${near.map(offered).join(' or ')}?` } : {};
}

function readValue(option: Option, value: string | undefined): string | true {
  if (option.value === undefined) {
    if (value !== undefined) throw fail.optionTakesNoValue({ option: option.name, given: value });
    return true;
  }
  if (value === undefined || value === '') throw fail.optionNeedsValue({ option: option.name, value: option.value });
  // `--method POST` and `--format JSON` are clear.
  const known = option.values?.find((each) => each.toLowerCase() === value.toLowerCase());
  if (option.values && known === undefined) {
    throw fail.valueNotAllowed({
      subject: `--${option.name}`,
      given: value,
      allowed: list(option.values),
      ...nearest(value, option.values),
    });
  }
  if (option.type === 'port') checkPort(option, value);
  else if (option.type) checkCount(option, value);
  return known ?? value;
}

function checkPort(option: Option, value: string): void {
  if (!/^\d{1,5}$/.test(value) || Number(value) > 65_535)
    throw fail.valueNotAPort({ option: option.name, given: value });
}

function checkCount(option: Option, value: string): void {
  const minimum = option.type === 'positive' ? 1 : 0;
  if (!/^\d{1,15}$/.test(value) || Number(value) < minimum) {
    throw fail.valueNotACount({ option: option.name, minimum, given: value });
  }
}

function store(options: Record<string, string | true | string[]>, option: Option, value: string | true): void {
  const before = options[option.name];
  if (option.multiple && value !== true) options[option.name] = [...(Array.isArray(before) ? before : []), value];
  else if (typeof before === 'string' && typeof value === 'string' && before !== value) {
    throw fail.optionGivenTwice({ option: option.name, first: before, second: value });
  } else options[option.name] = value;
}

function checkPositional(verb: Verb, positional: readonly string[]): void {
  verb.arguments.forEach((argument, index) => {
    const given = positional[index];
    if (given === undefined && argument.required) {
      throw fail.argumentMissing({
        verb: verb.name,
        argument: argument.values ? `one of ${list(argument.values)}` : argument.name,
      });
    }
    if (given !== undefined && argument.values && !argument.values.includes(given)) {
      throw fail.valueNotAllowed({
        subject: argument.name,
        given,
        allowed: list(argument.values),
        ...nearest(given, argument.values),
      });
    }
  });
  const [action = ''] = positional;
  const taken = verb.arguments.filter((argument) => argument.for?.includes(action) !== false);
  const extra = taken.at(-1)?.variadic ? undefined : positional[taken.length];
  if (extra !== undefined) throw fail.tooManyArguments({ verb: verb.name, given: extra });
}

/** Names as messages list them: sorted, in double quotes. */
export function list(names: readonly string[]): string {
  return names
    .toSorted()
    .map((name) => `"${name}"`)
    .join(', ');
}
