import { describe, expect, it } from 'vitest';

import { check } from '#compiler/api.ts';
import { roleChecks } from '#compiler/phases/5-check/roles.ts';
import { families } from '#schemas/generated/catalogue.ts';
import type { Language, Parameter, Role } from '#schemas/types/command.ts';
import type { Json } from '#schemas/types/json.ts';
import { memoryHost } from '#runtime/hosts/memory.ts';

/** A value that no parameter of the role can have. */
const unfit: Readonly<Record<Role, Json>> = {
  'command-name': 'FA_no_such_command',
  duration: -1,
  'env-key': 'A=B',
  graph: [{ id: 'a', action: ['FA_create_dir', { dir_path: 'a' }], depends_on: ['nobody'] }],
  host: 'no host',
  interface: 'http://localhost/',
  'local-path': 's3://bucket/key',
  package: 'no package!',
  program: 'a\0b',
  'remote-path': 'a\0b',
};

/** A text that no language can read. */
const unreadable: Readonly<Record<Language, Json>> = {
  condition: '1 ==',
  cron: '61 * * * *',
  curl: "curl 'https://shop.test/",
  jsonpath: '$..[',
  locator: 'buton[',
  locators: [['role', 'buton[']],
  regex: '(',
  selector: 'lable=Mail',
  shard: '5/4',
  'storage-uri': 's3://',
  'tag-filter': '(a',
  url: 'not an address',
};

const commands = (await Promise.all(families.map(({ load }) => load()))).flat();
const parameters = commands.flatMap(({ name, params }) => params.map((parameter) => ({ command: name, parameter })));

function badValue({ role, language, chooses, access }: Parameter): Json | undefined {
  if (language !== undefined) return unreadable[language];
  if (role === undefined) return undefined;
  // Where a scheme chooses who keeps the file, an address is as good as a path.
  return chooses !== undefined && access !== undefined ? 'a\0b' : unfit[role];
}

const told = parameters.flatMap((each) => {
  const bad = badValue(each.parameter);
  return bad === undefined ? [] : [{ ...each, bad }];
});

async function findingsOf(actions: Json): Promise<readonly string[]> {
  const host = memoryHost({ cwd: '/work' });
  await host.files.write('/work/a.json', JSON.stringify(actions), { parents: true });
  const { diagnostics } = await check([{ path: '/work/a.json' }], { root: '/work' }, host);
  return diagnostics.flatMap(({ severity, primary }) =>
    severity === 'error' ? [(primary.route ?? []).slice(0, 3).join(' ')] : [],
  );
}

describe('what is declared of a parameter', () => {
  it('holds every literal value to it', async () => {
    const steps = told.map(({ command, parameter: { name, schema, language_if: isOn, language_by: by }, bad }) => [
      command,
      {
        [name]: takesList(schema) && typeof bad === 'string' ? [bad] : bad,
        ...(isOn !== undefined && { [isOn]: true }),
        ...(by !== undefined && { [by]: 'role' }),
      },
    ]);
    const found = new Set(await findingsOf(steps));
    const passed = told.filter(({ parameter: { name } }, index) => !found.has(`${index} 1 ${name}`));
    expect(passed.map(({ command, parameter }) => `${command}.${parameter.name}`)).toEqual([]);
    expect(told.length).toBeGreaterThan(400);
  });

  it('knows every role', () => {
    expect(Object.keys(roleChecks).toSorted()).toEqual(Object.keys(unfit).toSorted());
  });

  it('is there for every number of seconds', () => {
    const silent = parameters.filter(
      ({ parameter: { role, about, schema } }) =>
        role !== 'duration' &&
        /^(number|integer)/.test([schema['type']].flat().join()) &&
        /\b(milli)?seconds\b/i.test(about) &&
        !about.includes('since 1970'),
    );
    expect(silent.map(({ command, parameter }) => `${command}.${parameter.name}`)).toEqual([]);
  });
});

function takesList(schema: Parameter['schema']): boolean {
  return [schema['type']].flat().includes('array') && ![schema['type']].flat().includes('string');
}
