import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import * as svc from '#compiler/library/api.ts';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-data-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const file = (name: string, text: string | Uint8Array): string => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
};
const wrong = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'nothing went wrong',
    (error: Error) => `${error.name}: ${error.message}`,
  );

describe('rows', () => {
  it('of a CSV file come one by one, all of them text', async () => {
    const path = file('a.csv', '\ufeffname;n\r\n"Ada ""L"";x";1\r\n\r\nBob;\r\n');
    expect(await svc.collect_rows(svc.iter_csv_rows(path, { delimiter: ';' }))).toEqual([
      { name: 'Ada "L";x', n: '1' },
      { name: 'Bob', n: '' },
    ]);
    const long = file('long.csv', `n\n${Array.from({ length: 50_000 }, (_, n) => n).join('\n')}\n`);
    for await (const row of svc.iter_csv_rows(long)) {
      expect(row).toEqual({ n: '0' });
      break;
    }
    expect(await svc.collect_rows(svc.iter_csv_rows(long))).toHaveLength(50_000);
    expect(await svc.collect_rows(svc.iter_csv_rows(file('empty.csv', '')))).toEqual([]);
    const ragged = svc.collect_rows(svc.iter_csv_rows(file('ragged.csv', 'a,b\n1,2\n1\n')));
    expect(await wrong(ragged)).toMatch(/line 3: 1 cells where 2 columns/);
    expect(await wrong(svc.collect_rows(svc.iter_csv_rows(join(folder, 'none.csv'))))).toMatch(/none\.csv/);
    expect(await wrong(svc.collect_rows(svc.iter_csv_rows(long, { delimiter: '' })))).toMatch(/^RangeError/);
    const abort = new AbortController();
    const stopped = async (): Promise<void> => {
      for await (const _ of svc.iter_csv_rows(long, {}, { signal: abort.signal })) abort.abort(new Error('enough'));
    };
    expect(await wrong(stopped())).toBe('Error: enough');
  });

  it('of a JSON file are the objects of a list, or one', async () => {
    const rows = (text: string | Uint8Array): Promise<unknown> =>
      svc.collect_rows(svc.iter_json_rows(file('rows.json', text)));
    expect(await rows('\ufeff[{"a":1},{"b":null}]')).toEqual([{ a: 1 }, { b: null }]);
    expect(await rows('{"a":1}')).toEqual([{ a: 1 }]);
    expect(await rows('[]')).toEqual([]);
    for (const text of ['5', '[1]', '{', Uint8Array.of(0x22, 0xff, 0x22)])
      expect(await wrong(rows(text))).toContain('rows.json');
  });
});

describe('files', () => {
  it('are listed by their ending, sorted', async () => {
    const root = join(folder, 'tree');
    mkdirSync(join(root, 'sub'), { recursive: true });
    for (const name of ['b.json', 'a.JSON', 'sub/c.json', 'd.txt']) writeFileSync(join(root, name), '{}');
    expect(await svc.get_dir_files_as_list({ dir_path: root })).toEqual(
      ['a.JSON', 'b.json', 'sub/c.json'].map((name) => join(root, name)),
    );
    const texts = { dir_path: root, default_search_file_extension: '.txt' };
    expect(await svc.get_dir_files_as_list(texts)).toEqual([join(root, 'd.txt')]);
  });

  it('of JSON are read and written under the names of this part', async () => {
    const path = join(folder, 'own.json');
    await svc.write_action_json(path, { b: 'é', a: [1] });
    expect(readFileSync(path, 'utf8')).toBe('{\n    "b": "é",\n    "a": [\n        1\n    ]\n}\n');
    expect(await svc.read_action_json(path)).toEqual({ b: 'é', a: [1] });
    for (const bad of [join(folder, 'none.json'), file('bad.json', '{"a":')])
      expect(await wrong(svc.read_action_json(bad))).toMatch(/^APITesterJsonException: .*\.json/);
    expect(await wrong(svc.write_action_json(path, { a: Number.NaN }))).toMatch(/^APITesterJsonException/);
    expect(svc.reformat_json('{"b":{"d":1,"c":2},"a":"é"}')).toBe(
      '{\n    "a": "é",\n    "b": {\n        "c": 2,\n        "d": 1\n    }\n}',
    );
    expect(svc.reformat_json([{ b: 1, a: 2 }])).toContain('"a": 2,\n        "b": 1');
    expect(() => svc.reformat_json('{')).toThrow(SyntaxError);
  });
});

describe('XML', () => {
  it('is indented, and what it says stays', async () => {
    const text =
      '<?xml version="1.0"?><!-- a --><r x="&quot;1"><a> b <i>c</i></a><e/><n xmlns:p="q"><p:m>&lt;</p:m></n></r>';
    expect(await svc.reformat_xml_file(text)).toBe(`<?xml version="1.0"?>
<!-- a -->
<r x="&quot;1">
    <a> b <i>c</i></a>
    <e/>
    <n xmlns:p="q">
        <p:m>&lt;</p:m>
    </n>
</r>`);
    const again = await svc.reformat_xml_file(text);
    expect(await svc.reformat_xml_file(again)).toBe(again);
    for (const bad of ['<a>', '', 'text', '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>'])
      expect(await wrong(svc.reformat_xml_file(bad))).toMatch(/^APITesterXMLException/);
  });

  it('is an object with one root key, and back', async () => {
    const given = { r: { '@id': '1', item: ['a', { '@n': '<"&', '#text': 'b' }, ''], one: { two: 'x' } } };
    const text = '<r id="1"><item>a</item><item n="&lt;&quot;&amp;">b</item><item/><one><two>x</two></one></r>';
    expect(svc.dict_to_elements_tree(given)).toBe(text);
    expect(await svc.elements_tree_to_dict(text)).toEqual(given);
    expect(await svc.elements_tree_to_dict('<r>\n  a<![CDATA[<]]>\n</r>')).toEqual({ r: 'a<' });
    const blanks = { r: { '@a': 'x\n\ty', '#text': 'p\r\nq' } };
    expect(await svc.elements_tree_to_dict(svc.dict_to_elements_tree(blanks))).toEqual(blanks);
    const circle: Record<string, never> = {};
    circle['a'] = circle as never;
    const refused = [
      {},
      { a: '1', b: '2' },
      { a: 1 },
      { a: null },
      { 'a><b': 'x' },
      { a: '\u0000' },
      { a: { '@b': 1 } },
    ];
    for (const bad of [...refused, { a: ['b'] }, circle])
      expect(() => svc.dict_to_elements_tree(bad as never)).toThrow(
        expect.objectContaining({ name: 'APITesterXMLException' }),
      );
  });

  it('is read from a text or a file', async () => {
    const path = file('a.xml', '<a b="c">d</a>');
    const root = { kind: 'element', name: 'a', attributes: { b: 'c' }, parts: [{ kind: 'text', text: 'd' }] };
    expect(await svc.xml_parser(path, { xml_type: 'file' })).toEqual(root);
    expect(await svc.xml_parser('<a b="c">d</a>')).toEqual(root);
    expect(await wrong(svc.xml_parser('<a/>', { xml_type: 'url' as 'file' }))).toMatch(/^APITesterXMLTypeException/);
    expect(await wrong(svc.xml_parser(join(folder, 'none.xml'), { xml_type: 'file' }))).toMatch(
      /^APITesterXMLException: .*none\.xml/,
    );
    expect(await wrong(svc.xml_parser(path))).toMatch(/^APITesterXMLException/);
  });
});

describe('actions', () => {
  it('lose what runners alone read', () => {
    const action = ['AT_x', { id: 'a', depends_on: ['b'], tags: ['c'], url: 'd', inner: { id: 1 } }] as const;
    expect(svc.strip_runner_metadata(action)).toEqual(['AT_x', { url: 'd', inner: { id: 1 } }]);
    expect(action[1].id).toBe('a');
    expect(svc.strip_runner_metadata(['AT_x', ['id']])).toEqual(['AT_x', ['id']]);
    expect(svc.strip_runner_metadata(['AT_x'])).toEqual(['AT_x']);
  });

  it('of a scaffold run as they are', async () => {
    await svc.http_mock_server(async (mock) => {
      await mock.add_route('/', () => 'ok');
      await using session = await svc.Session.open();
      for (const [name, params] of svc.scaffold_action_list(mock.url)) await session.action(name, params);
    });
  });

  it('trigger functions', async () => {
    const heard: unknown[] = [];
    const hear = (...given: unknown[]): void => void heard.push(given);
    const kwargs = { name: 'a', value: 1 };
    await svc.callback_function('AT_set_variable', hear, { kwargs, callback_function_param: null });
    expect(heard).toHaveLength(1);
    const unknown = svc.callback_function('AT_no_such', hear, { kwargs: null });
    expect(await wrong(unknown)).toMatch(/^CallbackExecutorException/);
    const failing = svc.callback_function(
      'AT_set_variable',
      () => {
        throw new Error('mine');
      },
      { kwargs },
    );
    expect(await wrong(failing)).toBe('Error: mine');
  });

  it('share the variables of a session', async () => {
    const session = await svc.Session.open();
    await session.action('AT_set_variable', { name: 'a', value: { deep: 1 } });
    await session.action('AT_set_variable', { name: 'b', value: 2 });
    const copy = await svc.variable_snapshot(session);
    delete copy['a'];
    await svc.variable_delete(session, 'b');
    await svc.variable_delete(session, 'b');
    expect(await svc.variable_snapshot(session)).toEqual({ a: { deep: 1 } });
    await session.close();
    await session.close();
    expect(await wrong(svc.variable_snapshot(session))).toMatch(/^run-stopped: .*closed/);
    expect(await wrong(session.action('AT_clear_variables', {}))).toMatch(/^run-stopped: .*closed/);
  });

  it('run a line at a time', async () => {
    const told: string[] = [];
    const lines = [
      '["AT_set_variable", {"name": "a", "value": 1}]\n\n# no action\n',
      'AT_get_variable: { name: a }\n{\n["AT_none"]\nQuit\n["AT_clear_variables"]\n',
    ];
    const streams = {
      input_stream: (async function* () {
        yield* lines;
      })(),
      output_stream: { write: (text: string) => told.push(text) },
    };
    expect(await svc.repl_loop({ ...streams, show_prompt: false })).toBe(4);
    expect(told).toEqual([
      expect.any(String),
      '1\n',
      expect.stringMatching(/^invalid JSON: /),
      expect.stringMatching(/^error: .*AT_none/),
    ]);
  });
});

describe('a project', () => {
  it('is made, and completed by shells', async () => {
    const place = join(folder, 'project');
    expect(await svc.create_project_dir(place)).toBeNull();
    expect(await svc.get_dir_files_as_list({ dir_path: place, default_search_file_extension: '' })).not.toEqual([]);
    for (const shell of ['bash', 'zsh', 'fish', 'powershell'] as const)
      expect(svc.generate_completion_script(shell)).toContain('svc __complete');
    expect(() => svc.generate_completion_script('constructor' as 'zsh')).toThrow(RangeError);
    expect(await svc.is_otel_available()).toBeTypeOf('boolean');
  });
});
