import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { compile } from '#compiler/api.ts';
import { programOfPlan } from '#compiler/engine/program.ts';
import { nodeHost } from '#runtime/hosts/node.ts';
import { readArguments } from '#runtime/program/arguments.ts';
import { execute } from '#runtime/program/execute.ts';
import { reporters } from '#runtime/reporters/reporters.ts';

import { inCopy } from './run-case.ts';

const SECRET = 'k9 "Canary"/ünd+&=';
/** An answer that says everything back, split in the middle of the secret. */
const server = createServer((request, response) => {
  response.setHeader('x-echo', encodeURIComponent(SECRET));
  response.write(`{"echo": ${JSON.stringify(SECRET).slice(0, 6)}`);
  setTimeout(
    () =>
      response.end(
        `${JSON.stringify(SECRET).slice(6)}, "auth": ${JSON.stringify(request.headers.authorization ?? null)}, "url": ${JSON.stringify(request.url)}}`,
      ),
    5,
  );
});

const actions = [
  {
    AT_test_api_method: {
      http_method: 'post',
      test_url: '${ENV.URL}/?q=${ENV.CANARY_TOKEN}',
      headers: { authorization: 'Bearer ${env:CANARY_B64}' },
      json: { deep: ['x${ENV.CANARY_TOKEN}y'] },
    },
    expect: 'result.status_code == 201',
  },
  {
    AT_get_variable: {
      name: 'none',
      default: ['${ENV.CANARY_TOKEN}', { key: 'a ${ENV.CANARY_TOKEN} b' }, '${ENV.CANARY_B64}'],
    },
  },
  { FA_file_checksum: { path: 'none-${ENV.CANARY_TOKEN}.txt' } },
  { FA_create_file: { file_path: 'out/a.txt', content: '{{last_response.json.echo}}' } },
  {
    AT_get_variable: { name: 'none', default: { here: '{{last_response.json.echo}}' } },
    save_as: { name: 'n', path: 'missing' },
  },
  { AT_get_variable: { name: 'none', default: '{{last_response.json.auth}}' }, expect: 'result == "other"' },
  { AT_get_variable: { name: 'none', default: '{{last_response.text}}' } },
];

test('a secret is found in nothing that a run leaves', async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const basic = Buffer.from(`ada:${SECRET}`).toString('base64');
  try {
    await inCopy(join(import.meta.dirname, 'list-goes-on'), async (copy) => {
      await writeFile(join(copy, 'input.yaml'), JSON.stringify(actions));
      const env = {
        ...process.env,
        URL: url,
        CANARY_TOKEN: SECRET,
        CANARY_B64: basic,
        GITHUB_STEP_SUMMARY: 'left/page.md',
      };
      await mkdir(join(copy, 'left'));
      await writeFile(join(copy, 'left/page.md'), '');
      const host = nodeHost({ cwd: copy, env });
      const compilation = await compile([{ path: join(copy, 'input.yaml') }], { root: copy }, host);
      expect(compilation.diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
      const program = programOfPlan(compilation.seal(), compilation.places(), { gates: { private: true } });
      const names = Object.keys(reporters);
      const given = readArguments([
        '--record',
        'left/record.jsonl',
        ...names.flatMap((name) => ['--reporter', `${name}=left/${name}.txt`]),
      ]);
      if (!given) throw new Error('no help was asked for');
      expect(await execute(program, given, reporters, host)).toBe(1);
      expect(await readFile(join(copy, 'left/record.jsonl'), 'utf8')).not.toContain('"skipped"');
      const left = await readdir(join(copy, 'left'), { withFileTypes: true, recursive: true });
      const top = left.filter(({ parentPath }) => parentPath === join(copy, 'left')).map(({ name }) => name);
      expect(top.sort()).toEqual([...names.map((name) => `${name}.txt`), 'page.md', 'record.jsonl'].sort());
      for (const entry of left) if (entry.isFile()) await findsNothing(join(entry.parentPath, entry.name), basic);
    });
  } finally {
    await new Promise((resolve) => server.close(resolve));
  }
});

async function findsNothing(path: string, basic: string): Promise<void> {
  const text = await readFile(path, 'utf8');
  // Its own result holds counts only.
  if (!path.endsWith('json.txt')) expect(text, path).toMatch(/\*\*\*|\\\*\\\*\\\*/);
  const content = (value: string): string => value.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  const html = (value: string): string => content(value).replaceAll('"', '&quot;');
  const forms = [
    SECRET,
    JSON.stringify(SECRET).slice(1, -1),
    encodeURIComponent(SECRET),
    encodeURI(SECRET),
    new URLSearchParams({ a: SECRET }).toString().slice(2),
    Buffer.from(SECRET).toString('base64').slice(0, -4),
    basic,
    'Canary',
  ];
  for (const form of forms.flatMap((each) => [each, content(each), html(each), JSON.stringify(each).slice(1, -1)]))
    expect(text.includes(form), `${path} holds ${form}`).toBe(false);
}
