import { describe, expect, it } from 'vitest';

import { sourceMap } from '#compiler/phases/7-emit/source-map.ts';
import { programText } from '#compiler/phases/7-emit/program-text.ts';

import { checkText } from './check-text.ts';

/** Names that every object knows or is taken to know, so that a table that is a plain object answers to them. */
const NAMES = [...Object.getOwnPropertyNames(Object.prototype), 'prototype', 'then', 'toJSON', 'length', 'name'];

/** Files that are wrong because of the name alone, wherever a table is asked for it. */
const places: Readonly<Record<string, (name: string) => string>> = {
  'a command': (name) => json([[name, []]]),
  'a command as a key': (name) => json([JSON.parse(`{${quoted(name)}: {}}`)]),
  'a parameter': (name) => `[["AT_fake_uuid", {${quoted(name)}: 1}]]`,
  'a step option': (name) => `[{"AT_fake_uuid": [], ${quoted(name)}: 1}]`,
  'an option of retry': (name) => `[{"AT_fake_uuid": [], "retry": {${quoted(name)}: 1}}]`,
  'a cause of retry': (name) => json([{ AT_fake_uuid: [], retry: { on: [name] } }]),
  'what happens after a failure': (name) => json([{ AT_fake_uuid: [], on_failure: name }]),
  'a dependency': (name) => json([{ AT_fake_uuid: [], depends_on: [name] }]),
  'a variable': (name) => json([['AT_set_variable', { name: 'a', value: `{{${name}}}` }]]),
  'a step': (name) => json([['AT_set_variable', { name: 'a', value: `{{steps.${name}.status}}` }]]),
  'a kind of reference': (name) => json([['AT_set_variable', { name: 'a', value: `\${${name}.a}` }]]),
  'a conversion': (name) => json([['AT_set_variable', { name: 'a', value: `\${ENV.A:${name}}` }]]),
  'a column': (name) => json([['AT_set_variable', { name: 'a', value: `\${ROW.${name}}` }]]),
  'a member of an event': (name) => json([['AT_set_variable', { name: 'a', value: `\${event.${name}}` }]]),
  'a function of a condition': (name) => json([{ AT_fake_uuid: [], when: `${name}(1)` }]),
  'a word of a condition': (name) => json([{ AT_fake_uuid: [], when: `1 ${name} 2` }]),
  'a command with defaults': (name) => `{"meta": {"defaults": {${quoted(name)}: {}}}, "actions": ["AT_fake_uuid"]}`,
  'a dataset key': (name) =>
    `{"meta": {"dataset": {"path": "a.csv", ${quoted(name)}: 1}}, "actions": ["AT_fake_uuid"]}`,
  'a type': (name) => input(`{"type": ${quoted(name)}}`),
  'a format': (name) => input(`{"format": ${quoted(name)}, "default": "a"}`),
  'a keyword': (name) => input(`{${quoted(name)}: 1}`),
  'a property that must be there': (name) => input(`{"required": [${quoted(name)}], "default": {}}`),
  'a property that must not be there': (name) =>
    input(`{"properties": {}, "additionalProperties": false, "default": {${quoted(name)}: 1}}`),
  'a property of a type': (name) =>
    input(`{"properties": {${quoted(name)}: {"type": "string"}}, "default": {${quoted(name)}: 1}}`),
};

function quoted(name: string): string {
  return JSON.stringify(name);
}

function json(actions: unknown): string {
  return JSON.stringify({ actions });
}

function input(schema: string): string {
  return `{"meta": {"inputs": {"x": ${schema}}}, "actions": ["AT_fake_uuid"]}`;
}

describe('names that every object knows', () => {
  it.each(Object.entries(places))('are no answer of a table: %s', async (_, file) => {
    for (const name of NAMES) expect((await checkText(file(name), 'a.json')).hasErrors, file(name)).toBe(true);
  });

  it('may be called so where people choose names', async () => {
    for (const name of NAMES.filter((one) => one !== 'length')) {
      const file = `{"meta": {"inputs": {${quoted(name)}: {"type": "string", "default": "a"}}}, "actions": [["AT_set_variable", {"name": "b", "value": "{{${name}}}"}]]}`;
      const { diagnostics } = await checkText(file, 'a.json');
      expect(diagnostics, file).toEqual([]);
    }
  });

  it('as ids of arguments are no steps of a source map', () => {
    const plan = JSON.stringify({ args: NAMES.map((id) => ({ id })) });
    const { mappings, sources } = programText({
      plan,
      hash: '',
      places: {},
      settings: '{}',
      library: '',
      generator: 'a',
      packages: {},
      modules: {},
      debug: false,
    });
    expect(mappings).toEqual([]);
    expect(JSON.parse(sourceMap('a.mjs', sources, mappings))).toMatchObject({ mappings: '' });
  });
});
