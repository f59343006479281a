import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

import { Ajv } from 'ajv';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { readAllure } from '../../fixtures/read-allure.ts';
import { failureOf, session } from '../call.ts';
import type { Session } from '../call.ts';

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'svc-records-'));
});
afterEach(() => rm(root, { recursive: true }));

/** Two steps that pass, one in a list, and one that fails. */
async function recorded(unit: Session): Promise<void> {
  await unit.call('WR_set_record_enable', {});
  await unit.call('AT_set_variable', { name: 'a', value: '<b>&"' });
  await unit.step('AT_extract_and_store', { response: {}, path: 'x', name: 'a' });
  await unit.call('WR_execute_action', { action_list: [['AT_get_variable', { name: 'a' }]] });
}

describe('the step record', () => {
  it('holds what ran while it was on, under the name of the command, nested steps too', async () => {
    await using unit = await session();
    await unit.call('AT_set_variable', { name: 'before', value: 1 });
    expect((await failureOf(unit.call('WR_generate_json', {}))).facts.name).toBe('step-record-empty');
    await recorded(unit);
    await unit.call('WR_set_record_enable', { set_enable: false });
    await unit.call('AT_set_variable', { name: 'after', value: 1 });
    const [passed, failed] = (await unit.call('WR_generate_json', {})) as Record<string, Record<string, string>>[];
    expect(Object.values(passed ?? {}).map(({ function_name, step }) => [function_name, step])).toEqual([
      ['AT_set_variable', '0'],
      ['AT_get_variable', '2'],
      ['WR_execute_action', '3'],
    ]);
    expect(failed?.['Failure_Test1']).toMatchObject({
      function_name: 'AT_extract_and_store',
      exception: expect.stringContaining('"x"') as string,
      time: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{6}$/) as string,
    });
    expect(await unit.call('WR_summarise_run', {})).toMatchObject({ total: 4, passed: 3, failed: 1 });
  });

  it('shows no secret', async () => {
    await using unit = await session();
    await unit.call('WR_set_record_enable', {});
    await unit.call('WR_oauth_bearer_header', { access_token: 'a-long-password' });
    await unit.call('AT_set_variable', { name: 'b', value: 'a-long-password' });
    const [passed] = (await unit.call('WR_generate_json', {})) as [Record<string, { param: string }>];
    expect(passed['Success_Test2']?.param).not.toContain('a-long-password');
  });

  it('is written in every format under one name', async () => {
    await using unit = await session();
    await recorded(unit);
    const base = join(root, 'out/run');
    const folder = join(root, 'results');
    const all = (await unit.call('WR_generate_all_reports', { base_name: base, reportfmt_dir: folder })) as {
      produced: Record<string, string[]>;
    };
    const expected = (await unit.call('WR_report_expected_paths', {
      base_name: base,
      reportfmt_dir: folder,
    })) as Record<string, string[]>;
    const [result] = await readdir(folder);
    expect(all).toEqual({
      produced: { ...expected, reportfmt: [join(folder, result ?? '')] },
      errors: {},
      manifest_path: `${base}.manifest.json`,
    });
    const page = await readFile(`${base}.html`, 'utf8');
    expect(page).toContain('AT_extract_and_store');
    expect(page).not.toContain('<b>&"');
    expect(await readFile(`${base}_junit.xml`, 'utf8')).toMatch(
      /^<\?xml .*\n<testsuites name="svc" tests="4" failures="1"/,
    );
    expect(await readFile(`${base}_failure.xml`, 'utf8')).toContain(
      '<function_name>AT_extract_and_store</function_name>',
    );
    const written = JSON.parse(await readFile(join(folder, result ?? ''), 'utf8')) as { readonly uuid: string };
    const form = new URL('../../reporters/formats/result-file.json', import.meta.url);
    const fits = new Ajv({ allErrors: true }).compile(JSON.parse(await readFile(form, 'utf8')) as object);
    fits(written);
    expect(fits.errors).toBe(null);
    expect(result).toBe(`${written.uuid}-result.json`);
    expect(written).toMatchObject({
      status: 'failed',
      stage: 'finished',
      steps: [{ status: 'passed' }, { status: 'failed' }, { status: 'passed' }, { status: 'passed' }],
    });
    const read = await readAllure(new Map([[result ?? '', JSON.stringify(written)]]));
    expect(read.unknown).toEqual([]);
    const [file] = (await unit.call('WR_generate_reportfmt')) as [{ readonly name: string }];
    expect(read.results).toMatchObject([
      {
        fullName: file.name,
        testId: file.name,
        historyId: file.name,
        labels: [{ value: 'svc' }, { value: 'yaml' }, { name: 'suite', value: file.name }],
        message: expect.stringContaining('"x"') as string,
        steps: [
          {
            name: 'AT_set_variable',
            parameters: [{ name: 'local_param', value: expect.stringContaining('<b>') as string }],
          },
          { name: 'AT_extract_and_store', status: 'failed', message: expect.stringContaining('"x"') as string },
          { name: 'AT_get_variable' },
          { name: 'WR_execute_action' },
        ],
      },
    ]);
  });

  it('is written in part where a format fails, and the step fails where all do', async () => {
    await using unit = await session();
    await recorded(unit);
    const file = join(root, 'file');
    await writeFile(file, '');
    const part = { base_name: join(root, 'run'), reportfmt_dir: file, write_manifest: false };
    expect(await unit.call('WR_generate_all_reports', part)).toMatchObject({
      errors: { reportfmt: expect.any(String) as string },
      manifest_path: null,
    });
    const none = unit.call('WR_generate_all_reports', { base_name: join(file, 'run') });
    expect((await failureOf(none)).facts.name).toBe('reports-all-failed');
  });

  it('is replayed with the pictures of failed steps in the page', async () => {
    await using unit = await session();
    await recorded(unit);
    await writeFile(join(root, '20260102_030405_000001_AT_extract_and_store.png'), 'picture');
    const path = join(root, 'replay.html');
    expect(
      await unit.call('WR_export_replay_studio', { output_path: path, screenshot_dir: root, title: 'A <b>' }),
    ).toBe(path);
    const page = await readFile(path, 'utf8');
    expect(page).toContain('<h1>A &lt;b&gt;</h1><p>4 action records.</p>');
    expect(page).toContain(`src="data:image/png;base64,${Buffer.from('picture').toString('base64')}"`);
    expect(page.match(/<img/g)).toHaveLength(1);
    const second = join(root, '20260102_030406_000001_AT_extract_and_store.png');
    await writeFile(second, 'second');
    const failed = { function_name: 'AT_extract_and_store', program_exception: `lost (failure screenshot: ${second})` };
    const replayed = await unit.call('WR_build_replay_html', { records: [failed], screenshot_dir: root });
    expect(replayed).toContain(Buffer.from('second').toString('base64'));
    expect(await unit.call('WR_build_replay_html', { records: [] })).toContain('<p>0 action records.</p>');
  });
});

describe('comparisons', () => {
  it('run the list once a side, apart from the record, and tell steps that differ', async () => {
    await writeFile(
      join(root, 'sides.mjs'),
      "export function two(){ process.env.SVC_TEST_SIDE = 'b' }\nexport async function twice(run){ await run(); await run() }\n",
    );
    await using unit = await session({ root, settings: { gates: { packages: true } } });
    const list = [['AT_set_variable', { name: 'x', value: 1 }]];
    const sides = (await unit.call('WR_run_ab', { action_data: list, runner: './sides.mjs#twice' })) as {
      records_a: object[];
      diff: object;
    };
    expect(sides.records_a).toHaveLength(2);
    expect(sides.diff).toMatchObject({ summary: { len_a: 2, len_b: 2, length_match: true }, differences: [] });
    expect(await unit.call('WR_summarise_run', {})).toMatchObject({ total: 0 });
    const users = {
      action_data: list,
      user_setups: [
        ['ada', null],
        ['bob', './sides.mjs#two'],
      ],
    };
    expect(await unit.call('WR_run_for_users', users)).toMatchObject({ diff: [] });
  });

  it('begin each side with the variables from before the first, and keep what the last one wrote', async () => {
    await writeFile(join(root, 'twice.mjs'), 'export async function twice(run){ await run(); await run() }\n');
    await using unit = await session({ root, settings: { gates: { packages: true } } });
    await unit.call('AT_set_variable', { name: 'before', value: 'known' });
    const list = ['before', 'mine'].map((name) => ['AT_get_variable', { name }]);
    const action_data = [...list, ['AT_set_variable', { name: 'mine', value: 'of one side' }]];
    const seen = (): unknown[] =>
      unit.records.filter(({ command }) => command === 'AT_get_variable').map(({ result }) => result);
    await unit.call('WR_run_for_users', {
      action_data,
      user_setups: [
        ['ada', null],
        ['bob', null],
      ],
    });
    expect(seen()).toEqual(['known', null, 'known', null]);
    expect(await unit.call('AT_get_variable', { name: 'mine' })).toBe('of one side');
    await unit.call('AT_clear_variables');
    await unit.call('AT_set_variable', { name: 'before', value: 'known' });
    await unit.call('WR_run_ab', { action_data, runner: './twice.mjs#twice' });
    // Runs of one side go on where the one before it ended.
    expect(seen().slice(5)).toEqual(['known', null, 'known', 'of one side', 'known', null, 'known', 'of one side']);
  });

  it('keep the records of a user whatever the name', async () => {
    await using unit = await session();
    const names = ['__proto__', '2', 'constructor', '1'];
    const result = (await unit.call('WR_run_for_users', {
      action_data: [['WR_get_env', { key: 'HOME' }]],
      user_setups: names.map((name) => [name, null]),
    })) as { by_user: object };
    expect(Object.keys(result.by_user).toSorted()).toEqual(names.toSorted());
  });

  it('list what one side has beyond the other', async () => {
    await using unit = await session();
    const step = (function_name: string, program_exception = 'None'): object => ({ function_name, program_exception });
    const records_a = [step('A'), step('B', 'lost'), step('C')];
    const diff = await unit.call('WR_diff_ab_records', { records_a, records_b: [step('A'), step('B', 'gone')] });
    expect(diff).toEqual({
      summary: { len_a: 3, len_b: 2, length_match: false },
      differences: [
        {
          step: 2,
          a: { function_name: 'C', status: 'passed', exception: null },
          b: { function_name: null, status: null, exception: null },
        },
      ],
    });
  });
});

describe('messages about the outcome', () => {
  it('list ten failures, name only the host where they are refused, and never show the address', async () => {
    const texts: string[] = [];
    const server = createServer((request, response) => {
      let text = '';
      request.on('data', (part: Buffer) => (text += part.toString()));
      request.on('end', () => {
        texts.push(text);
        response.statusCode = request.url === '/hook/secret-part' ? 200 : 500;
        response.end(`the answer${request.url?.includes('another') ? '!'.repeat(300) : ''}`);
      });
    });
    await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook/`;
    try {
      await using unit = await session({ settings: { gates: { private: true } } });
      const failures = Array.from({ length: 12 }, (_, index) => ({
        function_name: `F${index}`,
        exception: 'x'.repeat(900),
      }));
      const summary = { total: 12, passed: 0, failed: 12, failures };
      expect(await unit.call('WR_notify_chat', { webhook_url: `${url}secret-part`, summary, header: 'H' })).toBe(200);
      const { text } = JSON.parse(texts[0] ?? '') as { text: string };
      expect(text).toMatch(/^\*H\*\ntotal: 12 {2}passed: 0 {2}failed: 12\n\*failures:\*\n• F0: x{299}…\n/);
      expect(text.split('\n')).toHaveLength(14);
      expect(text.endsWith('\n… 2 more')).toBe(true);
      const refused = unit.call('WR_notify_webhook', { url: `${url}another-secret`, payload: {} });
      const failure = await failureOf(refused);
      expect(failure.message).toContain(`the answer${'!'.repeat(200 - 'the answer'.length)}`);
      expect(failure.message).not.toContain('!'.repeat(200 - 'the answer'.length + 1));
      expect(failure.message).not.toContain('another-secret');
      expect(JSON.stringify(unit.records)).not.toMatch(/secret-part|another-secret/);
    } finally {
      server.close();
    }
  });
});

describe('a message that is not taken at once', () => {
  /** Answers in turn: a status, `cut` after a status of 200, or `lost` before any. */
  async function receiver(...turns: readonly (number | 'cut' | 'lost')[]): Promise<{
    readonly url: string;
    readonly texts: string[];
    close(): void;
  }> {
    const texts: string[] = [];
    const answer = (turn: number | 'cut' | 'lost', response: ServerResponse): void => {
      if (turn === 'lost') response.socket?.destroy();
      else if (turn === 'cut')
        response.writeHead(200, { 'content-length': 100 }).write('o', () => void response.destroy());
      else response.writeHead(turn, turn === 200 ? {} : { 'retry-after': '0' }).end('later');
    };
    const server = createServer((request, response) => {
      void text(request).then((body) => {
        texts.push(body);
        answer(turns[texts.length - 1] ?? 200, response);
      });
    });
    await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done));
    const { port } = server.address() as AddressInfo;
    return { url: `http://127.0.0.1:${port}/hook`, texts, close: () => void server.close() };
  }
  const summary = { total: 1, passed: 1, failed: 0, failures: [] };

  it.each([
    { name: '429, then 200', turns: [429], sent: 2, code: undefined },
    { name: '503 with a wait, then 200', turns: [503], sent: 2, code: undefined },
    { name: 'an answer that is cut', turns: ['cut'], sent: 1, code: undefined },
    { name: 'no answer', turns: ['lost'], sent: 1, code: 'SVC83008' },
    { name: '500', turns: [500], sent: 1, code: 'SVC83180' },
    { name: '401', turns: [401], sent: 1, code: 'SVC83180' },
    { name: '429 each time', turns: [429, 429, 429], sent: 3, code: 'SVC83180' },
  ] as const)('is sent again only where it surely did not arrive: $name', async ({ turns, sent, code }) => {
    const { url, texts, close } = await receiver(...turns);
    try {
      await using unit = await session({ settings: { gates: { private: true } } });
      const call = unit.call('WR_notify_chat', { webhook_url: url, summary });
      if (code === undefined) expect(await call).toBe(200);
      else expect((await failureOf(call)).facts.code).toBe(code);
      expect(texts).toHaveLength(sent);
    } finally {
      close();
    }
  });

  it('calls nobody by the text of a page, and says where nothing was recorded', async () => {
    const { url: webhook_url, texts, close } = await receiver();
    try {
      await using unit = await session({ settings: { gates: { private: true } } });
      const failures = [{ function_name: 'WR_x', exception: 'page says <!channel> & <http://evil.example|go>' }];
      await unit.call('WR_notify_chat', { webhook_url, summary: { ...summary, failures } });
      expect(texts[0]).toContain('page says &lt;!channel&gt; &amp; &lt;http://evil.example|go&gt;');
      await unit.call('WR_notify_run_summary', { webhook_url });
      expect(texts[1]).toContain('no step was recorded: `WR_set_record_enable` begins that');
    } finally {
      close();
    }
  });
});
