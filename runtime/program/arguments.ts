import * as fail from '#schemas/generated/failures.ts';
import type { Gate } from '#schemas/types/command.ts';
import type { Json } from '#schemas/types/json.ts';
import { RESERVED } from '#schemas/types/reserved-names.ts';

import type { Given } from '../kernel/options.ts';

/** Meaning of the words after a program's name. */
export interface ProgramArguments {
  readonly env?: string;
  readonly dotenv?: string;
  readonly root?: string;
  readonly variables: Readonly<Record<string, Given>>;
  readonly gates: Readonly<Partial<Record<Gate, boolean>>>;
  readonly dryRun: boolean;
  readonly failFast: boolean;
  readonly seed?: number;
  readonly record?: string;
  /** `NAME` or `NAME=FILE`, in the order given. */
  readonly reporters: readonly string[];
  readonly reportDir?: string;
}

/** Placeholder of each option's value; empty: a flag. */
const options: Readonly<Record<string, string>> = {
  env: 'NAME',
  dotenv: 'FILE',
  root: 'DIR',
  var: 'NAME=TEXT',
  allow: 'GATE',
  deny: 'GATE',
  'dry-run': '',
  'fail-fast': '',
  seed: 'N',
  record: 'FILE',
  reporter: 'NAME[=FILE]',
  'report-dir': 'DIR',
  help: '',
};
const repeatable = ['var', 'allow', 'deny', 'reporter'];
export const gateNames: readonly Gate[] = ['packages', 'private', 'script', 'shell'];

/** The line that `--help` shows. */
export const usage: string = Object.entries(options)
  .map(([name, value]) => `[--${name}${value === '' ? '' : ` ${value}`}]${repeatable.includes(name) ? '…' : ''}`)
  .join(' ');

/** Reads a program's arguments; undefined: help was asked for. Fails for what it does not know. */
export function readArguments(argv: readonly string[]): ProgramArguments | undefined {
  const given = collect(argv);
  if (given.has('help')) return undefined;
  const one = (name: string): string | undefined => given.get(name)?.[0];
  return {
    ...present('env', one('env')),
    ...present('dotenv', one('dotenv')),
    ...present('root', one('root')),
    ...present('record', one('record')),
    ...present('reportDir', one('report-dir')),
    variables: readVariables(given.get('var') ?? []),
    gates: { ...gates(given.get('allow') ?? [], true), ...gates(given.get('deny') ?? [], false) },
    dryRun: given.has('dry-run'),
    failFast: given.has('fail-fast'),
    ...seedOf(one('seed')),
    reporters: given.get('reporter') ?? [],
  };
}

function seedOf(given: string | undefined): { readonly seed?: number } {
  if (given === undefined) return {};
  const seed = /^\d+$/.test(given) ? Number(given) : NaN;
  if (!Number.isSafeInteger(seed)) throw fail.valueNotACount({ option: 'seed', given, minimum: 0 });
  return { seed };
}

function collect(argv: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const given = new Map<string, readonly string[]>();
  for (let index = 0; index < argv.length; index += 1) {
    const word = argv[index] ?? '';
    if (!word.startsWith('--'))
      throw word.startsWith('-') ? fail.programOption({ option: word }) : fail.programArgument({ given: word });
    const equals = word.indexOf('=');
    const name = word.slice(2, equals < 0 ? undefined : equals);
    const placeholder = Object.hasOwn(options, name) ? options[name] : undefined;
    if (placeholder === undefined) throw fail.programOption({ option: `--${name}` });
    if (placeholder === '' && equals >= 0)
      throw fail.optionTakesNoValue({ option: name, given: word.slice(equals + 1) });
    const value = placeholder === '' ? '' : equals >= 0 ? word.slice(equals + 1) : argv[(index += 1)];
    if (value === undefined || (equals < 0 && value.startsWith('--')))
      throw fail.optionNeedsValue({ option: name, value: placeholder });
    const earlier = given.get(name) ?? [];
    if (earlier[0] !== undefined && placeholder !== '' && !repeatable.includes(name))
      throw fail.optionGivenTwice({ option: name, first: earlier[0], second: value });
    given.set(name, [...earlier, value]);
  }
  return given;
}

/** Reads `NAME=TEXT` and `NAME:=JSON`; the last one of a name wins. Fails where one is neither. */
export function readVariables(given: readonly string[]): Readonly<Record<string, Given>> {
  return Object.fromEntries(given.map(readVariable));
}

function readVariable(given: string): readonly [string, Given] {
  const [, name, sign, text] = /^([A-Za-z_][A-Za-z0-9_]*)(:?=)([^]*)$/.exec(given) ?? [];
  if (name === undefined || text === undefined)
    // The value behind the sign may be a secret.
    throw fail.variableNotReadable({
      given: given.replace(/=[^]*/, '=…'),
      reason: 'it has no NAME= of letters, digits and "_"',
    });
  if (RESERVED.includes(name))
    throw fail.variableNotReadable({ given: name, reason: 'the language keeps that name for itself' });
  if (sign === '=') return [name, { text }];
  try {
    return [name, { json: JSON.parse(text) as Json }];
  } catch {
    // The parser's message quotes the value, which may be a secret.
    throw fail.variableNotReadable({ given: `${name}:=…`, reason: 'the value is not JSON' });
  }
}

/** Gates by name, comma-separated, as `--allow` (open) and `--deny` give them. Fails for names that no gate has. */
export function gates(given: readonly string[], open: boolean): Partial<Record<Gate, boolean>> {
  const names = given.flatMap((list) => list.split(',')).map((name) => name.trim());
  return Object.fromEntries(
    names.map((name) => {
      if (!gateNames.some((gate) => gate === name))
        throw fail.unknownGate({ gate: name, allowed: gateNames.join(', ') });
      return [name, open];
    }),
  );
}

function present<Key extends string>(key: Key, value: string | undefined): { readonly [name in Key]?: string } {
  return value === undefined ? {} : ({ [key]: value } as { readonly [name in Key]: string });
}
