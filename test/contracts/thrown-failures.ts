import { readFileSync } from 'node:fs';
import path from 'node:path';

import { portFacts } from '#schemas/generated/port-facts.ts';
import { registry } from '#schemas/generated/registry.ts';

import { textsOfCommands } from '../../.ci/build/bundle.ts';
import { externalPackages } from '../../.ci/build/library.ts';
import { root } from '../built.ts';

/** Turns errors of the file system into failures; what it makes any step may end with that touches a file. */
const SYSTEM = 'runtime/kernel/file-failure.ts';

/** Modules of the compiler that work for commands of programs and of the command line. */
const COMPILER = [
  'compiler/engine/action-tools.ts',
  'compiler/engine/compile-actions.ts',
  'compiler/engine/lists/compile-list.ts',
  'compiler/engine/lists/look-at-actions.ts',
];

/** Failures that commands can end with, as their code says. */
export interface ThrownFailures {
  /** Codes that the function of a command, with all that it calls, can throw. */
  own(command: string): ReadonlySet<string>;
  /** Whether it asks by itself whether a gate is open. */
  asksGates(command: string): boolean;
  /** Codes that providers of these ports, and of those behind them, can throw. */
  ofPorts(ports: readonly string[]): ReadonlySet<string>;
  /** Codes of what the compiler refuses that commands ask. */
  readonly ofCompiler: ReadonlySet<string>;
  /** Codes of what the file system refuses. */
  readonly ofSystem: ReadonlySet<string>;
  /** The code of a failure by its slug. */
  codeOf(slug: string): string;
}

/**
 * Reads what commands can throw from the text that each has when it is linked alone: esbuild leaves out what its
 * function cannot reach but methods of classes, of which those go here that nothing names, with what only they use.
 */
export async function readThrownFailures(): Promise<ThrownFailures> {
  const codes = codesByConstructor(readFileSync(path.join(root, 'schemas/generated/failures.ts'), 'utf8'));
  const modules = Object.fromEntries(Object.entries(registry).map(([name, { module }]) => [name, module.slice(1)]));
  const texts = await textsOfCommands(modules, [...externalPackages(), `*/${path.basename(SYSTEM)}`]);
  const codeOf = (slug: string): string => {
    const code = codes.get(camelCase(slug));
    if (code === undefined) throw new Error(`no failure is called "${slug}"`);
    return code;
  };
  const text = (command: string): string => {
    const found = texts.get(command);
    if (found === undefined) throw new Error(`"${command}" has no function`);
    return found;
  };
  const madeIn = (file: string): ReadonlySet<string> => {
    const source = readFileSync(path.join(root, file), 'utf8');
    return new Set(Array.from(source.matchAll(/\bfail\.(\w+)\(/g), ([, name = '']) => codes.get(name) ?? name));
  };
  const own = new Map<string, ReadonlySet<string>>();
  return {
    own: (command) => {
      const known = own.get(command) ?? thrownIn(text(command));
      own.set(command, known);
      return known;
    },
    asksGates: (command) => text(command).includes('.require('),
    ofPorts: (ports) => new Set(withThoseBehind(ports).flatMap((port) => portFacts[port]?.failures.map(codeOf) ?? [])),
    ofCompiler: new Set(COMPILER.flatMap((file) => [...madeIn(file)])),
    ofSystem: madeIn(SYSTEM),
    codeOf,
  };
}

function codesByConstructor(failures: string): ReadonlyMap<string, string> {
  const found = failures.matchAll(/^export const (\w+) = .* => make\((\d{5}),/gm);
  return new Map(Array.from(found, ([, name = '', digits = '']) => [name, `SVC${digits}`]));
}

/** Codes of the constructors that a linked text uses. */
export function thrownIn(text: string): ReadonlySet<string> {
  const constructors = new Map<string, string>();
  const rest = withoutDeadPieces(
    text
      .replace(/^\s*(?:\/\/|\/?\*).*$/gm, '')
      .replace(
        /^var (\w+) = \(o(?: = \{\})?\) => make\d*\((\d[\de]*),.*$/gm,
        (_, name: string, digits: string) => (constructors.set(name, `SVC${Number(digits)}`), ''),
      ),
  );
  const said = namesIn(rest);
  return new Set([...constructors].filter(([name]) => said.has(name)).map(([, code]) => code));
}

interface Piece {
  readonly name: string;
  readonly text: string;
}

/** A text without functions, classes and methods of classes whose names nothing outside of them says. */
function withoutDeadPieces(text: string): string {
  const pieces = [...methodsIn(text), ...functionsIn(text)].map((piece) => ({ ...piece, names: namesIn(piece.text) }));
  const said = namesIn(text);
  let rest = text;
  for (let before = ''; before !== rest;) {
    before = rest;
    for (const { name, text: own, names } of pieces) {
      if ((said.get(name) ?? 0) > (names.get(name) ?? 0)) continue;
      const others = rest.replace(own, '');
      if (others === rest) continue;
      rest = others;
      for (const [each, times] of names) said.set(each, (said.get(each) ?? 0) - times);
    }
  }
  return rest;
}

/** Methods as esbuild writes them: two blanks before the first line and before the last brace. */
function methodsIn(text: string): readonly Piece[] {
  const found = text.matchAll(/^ {2}(?:static |async |get |set |\*)*(#?[\w$]+)\(.*\{\n[^]*?^ {2}\}\n/gm);
  return Array.from(found, ([whole, name = '']) => ({ name, text: whole })).filter(
    ({ name }) => !['constructor', 'if', 'for', 'while', 'switch', 'function'].includes(name),
  );
}

function functionsIn(text: string): readonly Piece[] {
  const found = text.matchAll(/^(?:(?:async )?function\*? (\w+)\(|var (\w+) = class)(?:.*\{\n[^]*?^\};?\n)/gm);
  return Array.from(found, ([whole, plain, ofClass]) => ({ name: plain ?? ofClass ?? '', text: whole }));
}

/** Number of times that a text says each name; a private one, `#name`, with its sign and without it. */
function namesIn(text: string): Map<string, number> {
  const names = new Map<string, number>();
  for (const [whole] of text.matchAll(/#?[\w$]+/g))
    for (const name of whole.startsWith('#') ? [whole, whole.slice(1)] : [whole])
      names.set(name, (names.get(name) ?? 0) + 1);
  return names;
}

function withThoseBehind(ports: readonly string[]): readonly string[] {
  const all = new Set(ports);
  for (const port of all) {
    const { needs = [], choose = {} } = portFacts[port] ?? {};
    for (const next of [...needs, ...Object.values(choose)]) all.add(next);
  }
  return [...all];
}

/** The name of a failure's constructor. */
function camelCase(slug: string): string {
  return slug.replace(/-([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}
