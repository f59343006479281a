import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { findImplementations } from '#compiler/generate/commands/implementations.ts';
import { loadFamilies } from '#compiler/generate/commands/load.ts';
import { readonlyArrays } from '#compiler/generate/commands/readonly-arrays.ts';
import { Mistakes } from '#compiler/generate/mistakes.ts';
import { Outputs } from '#compiler/generate/outputs.ts';

const project = path.resolve(import.meta.dirname, '../..');
let root = '';
let mistakes = new Mistakes();

beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), 'declarations-'));
  mistakes = new Mistakes();
  mkdirSync(path.join(root, 'schemas/meta'), { recursive: true });
  for (const name of ['command.schema.json', 'types.yaml'])
    copyFileSync(path.join(project, 'schemas/meta', name), path.join(root, 'schemas/meta', name));
});
afterEach(() => rmSync(root, { recursive: true }));

function put(file: string, text: string): void {
  mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
  writeFileSync(path.join(root, file), text);
}

const touch = (changes = '', params = 'path: { schema: { type: string }, about: File. }'): string => `complete: false
commands:
- name: FA_touch
  summary: Touch a file.
  in_spec: false
  effects: [fs-write]
  needs: [files]
  repeat: idempotent
  params:
    ${params}
  required: [path]
  returns: { type: 'null' }
${changes}`;
const file = 'stdlib/files/local/touch/commands.yaml';

describe('declarations', () => {
  it('are read in order, with shared schemas written out', () => {
    put(
      file,
      touch(
        '',
        'path: { schema: { $ref: "#/types/actions", description: Steps. }, about: File. }\n    then: { schema: { type: array, items: { $ref: "#/types/own" } }, about: x }',
      ) + 'types: { own: { type: integer } }\n',
    );
    const [family] = loadFamilies(root, mistakes);
    expect(mistakes.found).toEqual([]);
    expect(family).toMatchObject({ domain: 'files', group: 'local', name: 'touch', complete: false });
    expect(Object.keys(family?.commands[0]?.params ?? {})).toEqual(['path', 'then']);
    expect(family?.commands[0]?.params['path']?.schema).toMatchObject({
      description: 'Steps.',
      anyOf: [{ type: 'array' }, { type: 'object' }, { type: 'string' }],
    });
    expect(family?.commands[0]?.params['then']?.schema).toEqual({ type: 'array', items: { type: 'integer' } });
  });

  it.each([
    ['an unknown field', touch('  speed: 3'), 'FA_touch: "speed" is not known there'],
    [
      'an unknown keyword of JSON Schema',
      touch('', 'path: { schema: { type: string, if: {} }, about: File. }'),
      'FA_touch.params.path.schema: "if" is not known there',
    ],
    [
      'a pattern that is none',
      touch('', 'path: { schema: { type: string, pattern: "(" }, about: File. }'),
      'FA_touch.params.path.schema.pattern',
    ],
    ['an unknown effect', touch().replace('fs-write', 'magic'), 'must be one of'],
    ['a missing summary', touch().replace('  summary: Touch a file.\n', ''), "must have required property 'summary'"],
    [
      'an unknown shared schema',
      touch('', 'path: { schema: { $ref: "#/types/nope" }, about: File. }'),
      'there is no shared schema "nope"',
    ],
    [
      'a required parameter that is none',
      touch().replace('required: [path]', 'required: [file]'),
      '"required" names "file"',
    ],
    [
      'a required parameter with a default',
      touch('', 'path: { schema: { type: string, default: x }, about: File. }'),
      'is required and has a default',
    ],
    [
      'an alias that is taken',
      touch('', 'path: { schema: {}, about: a, aliases: [to] }\n    to: { schema: {}, about: b }'),
      'the alias "to" of "path" is taken',
    ],
    [
      'a variable of no parameter',
      touch('  variables: { defines: ["param:name"] }'),
      '"param:name", which is no parameter',
    ],
    [
      'an unknown language',
      touch('', 'path: { language: klingon, schema: { type: string }, about: File. }'),
      'FA_touch.params.path.language',
    ],
    [
      'an unknown role',
      touch('', 'path: { role: wish, schema: { type: string }, about: File. }'),
      'FA_touch.params.path.role',
    ],
    [
      'a role for texts where none is taken',
      touch('', 'path: { role: host, schema: { type: integer }, about: File. }'),
      'its schema takes none',
    ],
    [
      'a duration that may be less than nothing',
      touch('', 'path: { role: duration, unit: seconds, schema: { type: number }, about: Time. }'),
      'needs a minimum',
    ],
    [
      'a duration of nothing in particular',
      touch('', 'path: { role: duration, schema: { type: number, minimum: 0 }, about: Time. }'),
      'needs a unit',
    ],
    ['an old name of nothing', touch('  replaced_by: FA_other'), '"FA_other", which is no command'],
    ['a prefix of another domain', touch().replaceAll('FA_touch', 'WR_touch'), 'commands of files begin with FA_'],
    ['broken YAML', 'commands: [', 'commands.yaml'],
  ])('with %s are mistakes that name file, command and field', (_, text, expected) => {
    put(file, text);
    loadFamilies(root, mistakes);
    expect(mistakes.found.join('\n')).toContain(expected);
    expect(mistakes.found.every((one) => one.startsWith(file))).toBe(true);
  });

  it('of one name in two families are a mistake', () => {
    put(file, touch());
    put('stdlib/files/local/other/commands.yaml', touch());
    expect(loadFamilies(root, mistakes).flatMap(({ commands }) => commands)).toHaveLength(1);
    expect(mistakes.found.join()).toContain('is declared in stdlib/files/local/other/commands.yaml already');
  });
});

describe('functions', () => {
  const implement = (name: string, called = name): string =>
    `export const ${name} = command('${called}', async () => {});\n`;

  it('are found beside their declaration', () => {
    put(file, touch());
    put('stdlib/files/local/touch/touch.ts', implement('FA_touch'));
    expect([...findImplementations(root, loadFamilies(root, mistakes), mistakes)]).toEqual([
      ['FA_touch', 'stdlib/files/local/touch/touch.ts'],
    ]);
    expect(mistakes.found).toEqual([]);
  });

  it.each([
    [
      'without a declaration',
      'stdlib/files/local/touch/touch.ts',
      implement('FA_other'),
      'has a function and no declaration',
    ],
    [
      'under another name',
      'stdlib/files/local/touch/touch.ts',
      implement('FA_touch', 'FA_other'),
      "is made by command('FA_other')",
    ],
    [
      'in another folder',
      'stdlib/files/local/touching/touch.ts',
      implement('FA_touch'),
      'belongs into stdlib/files/local/touch',
    ],
  ])('%s are mistakes', (_, place, text, expected) => {
    put(file, touch());
    put(place, text);
    findImplementations(root, loadFamilies(root, mistakes), mistakes);
    expect(mistakes.found.join()).toContain(expected);
  });
});

describe('outputs', () => {
  it('are stale when they differ, are missing, or are made no more; build output is not asked', () => {
    const outputs = (): Outputs => {
      const made = new Outputs(root);
      made.add('files/a.d.ts', 'a', 'checked-in');
      made.add('files/b.d.ts', 'b', 'checked-in');
      made.add('registry.ts', 'r', 'built');
      return made;
    };
    expect(outputs().stale()).toEqual(['files/a.d.ts', 'files/b.d.ts']);
    expect(outputs().write()).toEqual(['files/a.d.ts', 'files/b.d.ts', 'registry.ts']);
    expect(outputs().write()).toEqual([]);
    writeFileSync(path.join(root, 'schemas/generated/files/a.d.ts'), 'edited by hand');
    writeFileSync(path.join(root, 'schemas/generated/registry.ts'), 'old');
    put('schemas/generated/files/gone.d.ts', 'x');
    expect(outputs().stale()).toEqual(['files/a.d.ts', 'files/gone.d.ts']);
    outputs().write();
    expect(outputs().stale()).toEqual([]);
    expect(existsSync(path.join(root, 'schemas/generated/files/gone.d.ts'))).toBe(false);
    expect(readFileSync(path.join(root, 'schemas/generated/files/a.d.ts'), 'utf8')).toBe('a');
  });
});

describe('readonlyArrays', () => {
  it.each([
    ['string[]', 'ReadonlyArray<string>'],
    ['(string | number)[]', 'ReadonlyArray<string | number>'],
    ['string[][]', 'ReadonlyArray<ReadonlyArray<string>>'],
    ['[string, string][]', 'ReadonlyArray<[string, string]>'],
    ['{\n/** a } [] */\nx: "b[]"[]\n}[]', 'ReadonlyArray<{\n/** a } [] */\nx: ReadonlyArray<"b[]">\n}>'],
  ])('turns %j into %j', (text, expected) => {
    expect(readonlyArrays(text)).toBe(expected);
  });
});
