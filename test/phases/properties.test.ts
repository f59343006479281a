import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';

import { check, migrate } from '#compiler/api.ts';
import { openCatalogue } from '#compiler/catalogue.ts';
import { memoryHost } from '#runtime/hosts/memory.ts';
import { applyEdits } from '#grammar/source/edit.ts';
import { replacements } from '#schemas/generated/catalogue.ts';
import type { CommandInfo } from '#schemas/types/command.ts';
import type { Json } from '#schemas/types/json.ts';

import { deepFreeze } from './deep-freeze.ts';

const catalogue = openCatalogue();
let infos: readonly CommandInfo[] = [];
beforeAll(async () => {
  infos = await catalogue.all();
});

const anyJson: fc.Arbitrary<Json> = fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<Json>;
const words = fc.constantFrom(
  'id',
  'name',
  'when',
  'expect',
  'save_as',
  'retry',
  'depends_on',
  'actions',
  'nodes',
  'action',
  'meta',
  'setup',
  'svc',
  'path',
  'then',
  'value',
  'x',
);
const texts = fc.constantFrom(
  '{{x}}',
  '{{steps.a.status}}',
  '${ENV.A}',
  '${ROW.b}',
  '{{',
  '$${x}',
  'result == 1',
  'x == ',
  'a',
  '',
  '${event.path}',
  '{{x.y[0]:int:-3}}',
);

/** Things that look like action files, mostly wrong. */
const { node: fileLike } = fc.letrec<{ node: Json }>((tie) => ({
  node: fc.oneof(
    { depthSize: 'medium' },
    texts,
    fc.integer(),
    fc.constant(null),
    fc.boolean(),
    fc.constantFrom(
      'AT_set_variable',
      'FA_if_exists',
      'AT_test_api_method',
      'WR_quit',
      'FA_execute_action_dag',
      'AT_fake_wrod',
      'FA_watch_start',
    ),
    fc.array(tie('node'), { maxLength: 4 }),
    fc.dictionary(
      fc.oneof(
        words,
        fc.constantFrom('AT_set_variable', 'FA_if_exists', 'AT_extract_and_store', 'FA_execute_action_dag'),
      ),
      tie('node'),
      { maxKeys: 4 },
    ),
  ),
}));

/** Sound actions, so that whole files are sound now and then. */
const soundAction = fc.constantFrom<Json>(
  'AT_fake_uuid',
  ['AT_set_variable', { name: 'x', value: '{{x:-1}}' }],
  { AT_fake_word: 4, save_as: 'x' },
  ['FA_if_exists', { path: 'a', then: ['AT_fake_uuid'] }],
);

const options = { root: '/work', catalogue, observe: (_: string, output: unknown) => void deepFreeze(output) };
const checkText = (content: string) =>
  check([{ path: '/work/a.json', content }], options, memoryHost({ cwd: '/work' }));

describe('whatever stands in a file', () => {
  it('is answered with findings, never with an exception, and changed by no phase', async () => {
    let sound = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          anyJson,
          fileLike,
          fc.record(
            { actions: fc.array(fc.oneof(fileLike, soundAction), { maxLength: 3 }), meta: fileLike },
            { requiredKeys: ['actions'] },
          ),
        ),
        async (value) => {
          const compilation = await checkText(JSON.stringify(value));
          if (compilation.hasErrors) return;
          sound += 1;
          expect(compilation.seal().hash).toMatch(/^[0-9a-f]{64}$/);
        },
      ),
      { numRuns: 1500 },
    );
    expect(sound, 'some of them are sound').toBeGreaterThan(20);
  });
});

/** Calls under any name a command ever had, with any of its parameters. */
function actionOf(info: CommandInfo, names: readonly string[]): fc.Arbitrary<Json> {
  const parameters = info.params.flatMap(({ name, aliases }) => [name, ...(aliases ?? [])]);
  const keywords =
    parameters.length === 0
      ? fc.constant({})
      : fc.dictionary(
          fc.constantFrom(...parameters),
          fc.oneof(fc.constant('a'), fc.constant([['WR_quit']]), fc.constant({ auto_control: ['WR_quit'] })),
          { maxKeys: 3 },
        );
  return fc.constantFrom(...names).chain((name) =>
    fc.oneof(
      fc.constant(name),
      fc.constant([name]),
      keywords.map((value): Json => [name, value]),
      keywords.map((value): Json => ({ [name]: value, id: 'a' })),
    ),
  );
}

describe('migration', () => {
  it('changes nothing the second time, and what it writes reads as what the compiler had read', async () => {
    const old = Object.entries(replacements);
    const wanted = infos.filter(
      ({ name, params }) =>
        old.some(([, current]) => current === name) ||
        params.some(({ aliases, list }) => aliases !== undefined || list !== undefined),
    );
    const action = fc.oneof(
      ...wanted.map((info) =>
        actionOf(info, [info.name, ...old.filter(([, current]) => current === info.name).map(([name]) => name)]),
      ),
    );
    const files = fc
      .tuple(
        fc.constantFrom('api_testka', 'auto_control', 'svc', 'actions', 'nodes'),
        fc.array(action, { minLength: 1, maxLength: 4 }),
      )
      .map(([key, actions]): Json => ({
        [key]: key === 'nodes' ? actions.map((each, index) => ({ id: `n${index}`, action: each })) : actions,
        setup: actions,
      }));
    let changed = 0;
    await fc.assert(
      fc.asyncProperty(files, async (file) => {
        const first = await migrated(JSON.stringify(file));
        if (first.text !== JSON.stringify(file)) changed += 1;
        const second = await migrated(first.text);
        expect(second.text).toBe(first.text);
        const [before, after] = [await checkText(JSON.stringify(file)), await checkText(first.text)];
        expect(after.files[0]?.migrated?.value).toEqual(before.files[0]?.migrated?.value);
      }),
      { numRuns: 300 },
    );
    expect(changed).toBeGreaterThan(100);
  });
});

async function migrated(content: string): Promise<{ readonly text: string }> {
  const {
    files: [file],
  } = await migrate([{ path: '/work/a.json', content }], { root: '/work', catalogue }, memoryHost({ cwd: '/work' }));
  if (file === undefined) throw new Error('nothing was read');
  return { text: applyEdits(file.text, file.edits) };
}

describe('the same files', () => {
  it('make the same bytes in another folder, with another environment and with comments', async () => {
    const text =
      'meta: { dataset: rows.csv }\nactions:\n- AT_set_variable: { name: a, value: "${ENV.A:-x} ${ROW.b}" }\n- AT_load_env_profile: { file_path: p.json }\n- FA_create_file: { file_path: out/a.txt, content: "{{a}}" }\n';
    const compiled = async (root: string, env: Readonly<Record<string, string>>, source: string, profile: string) => {
      const host = memoryHost({ cwd: root, env });
      await host.files.write(`${root}/rows.csv`, 'b\n1\n', { parents: true });
      await host.files.write(`${root}/p.json`, profile);
      await host.files.write(`${root}/.env`, `A=${root}\n`);
      const compilation = await check(
        [{ path: `${root}/shop/order.yaml`, content: source }],
        { root, catalogue },
        host,
      );
      expect(compilation.diagnostics).toEqual([]);
      return compilation.seal();
    };
    const one = await compiled('/work/one', {}, text, '{"x":1}');
    const other = await compiled(
      '/elsewhere/deep/two',
      { A: 'other', TZ: 'Asia/Tokyo' },
      `# a comment\n${text}\n`,
      '{"y":2}',
    );
    expect(other.text).toBe(one.text);
    expect(other.hash).toBe(one.hash);
    expect(JSON.parse(one.text)).toEqual(JSON.parse(JSON.stringify(one.plan)));
  });
});
