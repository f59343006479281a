import { execFile } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { startApiServer } from '../commands/api/api-server.ts';
import type { Started } from '../commands/api/servers.ts';
import { svc, type Said } from './svc.ts';

let folder = '';
let server: Started;
beforeAll(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'svc-curl-')));
  server = await startApiServer();
  writeFileSync(
    join(folder, 'a.yaml'),
    `actions:
- AT_test_api_method: { http_method: put, test_url: '${server.url}/echo', params: { q: "it's {{who}}" }, headers: { X-Token: "\${ENV.API_TOKEN}" }, json: { text: "a 'b' $\${c}" } }
  id: put_it
- [AT_test_api_method, { http_method: post, test_url: '${server.url}/echo', data: { a: 'x y', b: [1, 2] }, cookies: { c: d } }, { name: a form }]
- AT_test_api_method: { http_method: post, test_url: '${server.url}/echo', files: { f: 'a b.yaml' }, data: { n: '@x' }, phase_timeouts: { connect: 2 } }
  id: upload
- AT_test_api_method: { http_method: post, test_url: '${server.url}/echo', files: { f: [{ path: a b.yaml, type: text/yaml, name: 'x;"y".yaml' }, { path: a b.yaml, name: null }], t: { text: '{"a;b":1}', type: application/json } } }
  id: parts
- AT_test_api_method: { http_method: post, test_url: '${server.url}/echo', body_file: a b.yaml }
  id: whole_file
- AT_test_api_method: { http_method: put, test_url: '${server.url}/echo/', body_file: a b.yaml }
  id: into_a_folder
`,
  );
  writeFileSync(join(folder, 'a b.yaml'), 'from a file');
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

const call = (...args: readonly string[]): Promise<Said> => svc(folder, args, { env: { API_TOKEN: 't0ken-value' } });

/** Answer to a command line in a shell. */
async function inShell(
  line: string,
): Promise<{ method: string; query: string; body: string; headers: Record<string, string> }> {
  const { stdout } = await promisify(execFile)('sh', ['-c', line], {
    cwd: folder,
    env: { ...process.env, who: 'me', API_TOKEN: 't0ken' },
  });
  return JSON.parse(stdout) as never;
}

test('a real curl sends what the step would', async () => {
  const said = await call('curl', 'a.yaml', 'put_it');
  expect(said.exit).toBe(0);
  expect(said.stdout).toContain('"${API_TOKEN}"');
  expect(await inShell(said.stdout)).toMatchObject({
    method: 'PUT',
    query: '?q=it%27s%20me',
    body: `{"text":"a 'b' \${c}"}`,
    headers: { 'x-token': 't0ken', 'content-type': 'application/json' },
  });
  expect(await inShell((await call('curl', 'a.yaml', 'a form')).stdout)).toMatchObject({
    method: 'POST',
    body: 'a=x%20y&b=1&b=2',
    headers: { cookie: 'c=d', 'content-type': 'application/x-www-form-urlencoded' },
  });
  const upload = (await call('curl', 'a.yaml', 'upload')).stdout;
  expect(upload).toContain(`--connect-timeout 2 --form-string n=@x -F 'f=@a b.yaml'`);
  const { body, headers } = await inShell(upload);
  expect(headers['content-type']).toMatch(/^multipart\/form-data/);
  expect(body).toMatch(/name="n"\r\n\r\n@x\r\n[^]*filename="a b.yaml"\r\n[^]*from a file/);
  const parts = await inShell((await call('curl', 'a.yaml', 'parts')).stdout);
  expect(parts.body.replaceAll('\r\n', '|')).toMatch(
    /name="f"; filename="x;%22y%22.yaml"\|Content-Type: text\/yaml\|\|from a file\|--.*name="f"\|\|from a file\|--.*name="t"\|Content-Type: application\/json\|\|{"a;b":1}\|--/,
  );
  const whole = (await call('curl', 'a.yaml', 'whole_file')).stdout;
  expect(whole).toContain('-X POST');
  expect(await inShell(whole)).toMatchObject({ method: 'POST', body: 'from a file' });
  // With -T curl would add the name of the file to the address.
  expect((await call('curl', 'a.yaml', 'into_a_folder')).stdout).toContain(
    `/echo/ -H Content-Type: --data-binary '@a b.yaml'`,
  );
  expect(await call('curl', 'a.yaml', 'none')).toMatchObject({ exit: 2 });
});

test('records are written without their secrets', async () => {
  await call('run', 'a.yaml', '--var', 'who=me', '--record', 'run.jsonl');
  const said = await call('curl', 'run.jsonl', '1');
  expect(said.stdout).not.toContain('t0ken-value');
  expect(await inShell(said.stdout.replace('${X_Token}', 't0ken').replace('${x_token}', 't0ken'))).toMatchObject({
    method: 'PUT',
    headers: { 'x-token': 't0ken' },
  });
});

test('relative addresses and defaults are as `meta` has them', async () => {
  const linesFor = async (base: string): Promise<readonly string[]> => {
    writeFileSync(
      join(folder, 'relative.yaml'),
      `meta:
  base_url: ${JSON.stringify(base)}
  defaults: { AT_test_api_method: { http_method: get, test_url: never, headers: { X-Team: qa } } }
actions:
  - AT_test_api_method: { http_method: get, test_url: "items/{{id}}?q=\${ENV.Q}" }
  - AT_test_api_method: { http_method: get, test_url: "/root" }
  - AT_test_api_method: { http_method: get, test_url: "{{next}}", headers: {} }
  - AT_test_api_method: { http_method: get, test_url: "https://other.test/a", headers: {} }
`,
    );
    const { stdout, exit } = await call('curl', 'relative.yaml');
    expect(exit).toBe(0);
    return stdout.trim().split('\n');
  };
  expect(await linesFor('http://shop.test/v1/')).toEqual([
    `curl http://shop.test/v1/items/"\${id}"'?q='"\${Q}" -H 'X-Team: qa'`,
    `curl http://shop.test/root -H 'X-Team: qa'`,
    `curl "\${next}"`,
    'curl https://other.test/a',
  ]);
  expect((await linesFor('${ENV.BASE_URL}')).slice(0, 2)).toEqual([
    `curl "\${BASE_URL}"/items/"\${id}"'?q='"\${Q}" -H 'X-Team: qa'`,
    `curl "\${BASE_URL}"/root -H 'X-Team: qa'`,
  ]);
  expect((await linesFor('http://{{host}}/v1/x')).slice(0, 2)).toEqual([
    `curl http://"\${host}"/v1/items/"\${id}"'?q='"\${Q}" -H 'X-Team: qa'`,
    `curl http://"\${host}"/root -H 'X-Team: qa'`,
  ]);
});
