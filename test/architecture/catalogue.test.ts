import { readFileSync } from 'node:fs';
import path from 'node:path';

import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { describe, expect, it } from 'vitest';

import { catalogue } from '#compiler/catalogue.ts';
import { isObject } from '#schemas/types/json.ts';
import { registry } from '#schemas/generated/registry.ts';

import { keywordForm } from '../generate/keyword-form.ts';
import { mutations } from '../generate/mutations.ts';
import { sample } from '../generate/sample.ts';

const root = path.resolve(import.meta.dirname, '../..');
await catalogue.prepare(catalogue.allNames);
const commands = await catalogue.all();
const families = [...new Set(commands.map(({ domain, family }) => `${domain}/${family}`))];

describe('the catalogue', () => {
  it('declares what the specification and the catalogue name', () => {
    const count = (prefix: string): number => commands.filter(({ name }) => name.startsWith(prefix)).length;
    expect(count('WR_')).toBeGreaterThanOrEqual(403);
    expect(count('AT_')).toBeGreaterThanOrEqual(89);
    expect(count('FA_')).toBeGreaterThanOrEqual(238);
  });

  it('gives every function its declaration, loaded under its own name', async () => {
    for (const [name, { load }] of Object.entries(registry)) {
      expect(catalogue.get(name)?.implemented, name).toBe(true);
      expect(typeof (await load()), name).toBe('function');
    }
  }, 60_000);

  it('shows every command that runs with an example, and one that is refused where it has parameters', () => {
    const running = commands.filter(({ name }) => registry[name]);
    const without = (kind: 'run' | 'rejects', all: typeof running): string[] =>
      all.filter(({ examples = [] }) => !examples.some((example) => kind in example)).map(({ name }) => name);
    expect(without('run', running)).toEqual([]);
    expect(
      without(
        'rejects',
        running.filter(({ params }) => params.length > 0),
      ),
    ).toEqual([]);
  });

  it('bounds names that are repeated in every event of `/progress`', () => {
    const names = commands.flatMap(({ params }) => params.filter(({ links }) => links === 'transfers'));
    expect(names.length).toBeGreaterThan(40);
    expect(names.filter(({ schema }) => schema['maxLength'] !== 1000)).toEqual([]);
  });

  it('keeps no notes of the catalogue on a command that runs', () => {
    const text = (folder: string): string => readFileSync(path.join(root, folder, 'commands.yaml'), 'utf8');
    const left = commands
      .filter(({ name }) => registry[name])
      .filter(({ name, domain, group, family }) =>
        new RegExp(`^- name: ${name}\\n(?:(?!^- name:)[\\s\\S])*?^  catalogue_notes:`, 'm').test(
          text(`stdlib/${domain}/${group}/${family}`),
        ),
      );
    expect(left.map(({ name }) => name)).toEqual([]);
  });
});

describe('validators', () => {
  it.each(commands.map((command) => [command.name, command] as const))(
    'of %s accept what fits and refuse what does not',
    (name, command) => {
      const validate = catalogue.validator(name);
      if (!validate) throw new Error(`no validator for ${name}`);
      const fitting = Object.fromEntries(command.params.map((parameter) => [parameter.name, sample(parameter)]));
      expect(validate(fitting)).toEqual([]);
      for (const [what, changed] of mutations(command, fitting))
        expect(validate(changed), `${name} with ${what}`).not.toEqual([]);
    },
  );

  it('accept the parameters of every example that runs', () => {
    for (const command of commands) {
      for (const example of command.examples ?? []) {
        const parameters = 'run' in example ? keywordForm(command, example.run) : undefined;
        if (parameters)
          expect(
            catalogue.validator(command.name)?.(parameters),
            `${command.name} ${JSON.stringify(parameters)}`,
          ).toEqual([]);
      }
    }
  });
});

describe('schemas of families', () => {
  const ajv = new Ajv2020({
    strict: true,
    strictTuples: false,
    strictTypes: false,
    strictRequired: false,
    allowUnionTypes: true,
  });
  formats.default(ajv);

  it.each(families)('of %s are JSON Schema 2020-12 and accept what fits', (family) => {
    const schema: unknown = JSON.parse(
      readFileSync(path.join(root, `schemas/generated/${family}.schema.json`), 'utf8'),
    );
    if (!isObject(schema)) throw new Error('no schema');
    const validate = ajv.compile(schema as object);
    for (const command of commands.filter((one) => `${one.domain}/${one.family}` === family)) {
      const fitting = Object.fromEntries(command.params.map((parameter) => [parameter.name, sample(parameter)]));
      expect(validate({ [command.name]: fitting }), `${command.name}: ${ajv.errorsText(validate.errors)}`).toBe(true);
      for (const [what, changed] of mutations(command, fitting))
        expect(validate({ [command.name]: changed }), `${command.name} with ${what}`).toBe(false);
    }
  });
});
