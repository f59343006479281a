import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

import { runPlan } from './run-case.ts';

const asked: string[] = [];
let server: Server;
let connections = 0;
let copy: string;
beforeAll(async () => {
  server = createServer((request, response) => {
    asked.push(`${request.method ?? ''} ${request.url ?? ''}`);
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"results": [], "issues": []}');
  }).on('connection', () => (connections += 1));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  copy = await realpath(await mkdtemp(join(tmpdir(), 'svc-dry-sends-')));
});
beforeEach(() => {
  // Connections that another test left open would not be counted as new ones.
  server.closeAllConnections();
  asked.length = 0;
  connections = 0;
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await rm(copy, { recursive: true, force: true });
});

/** Actions that tell others of a run, each at a path of its own. */
function sending(url: string): readonly (readonly [string, object])[] {
  const tracker = {
    base_url: `${url}/tracker`,
    email: 'a@example.org',
    api_token: 'tracker-token',
    project_key: 'SHOP',
  };
  const cases = { base_url: `${url}/cases`, username: 'ada', api_key: 'cases-key', run_id: 7 };
  return [
    ['WR_tracker_create_issue', { ...tracker, summary: 'The cart is empty' }],
    ['WR_tracker_create_failure_issues', tracker],
    ['WR_caseman_send_results', { ...cases, results: [{ case_id: 1, status_id: 1 }] }],
    ['WR_caseman_close_run', cases],
    ['WR_notify_chat', { webhook_url: `${url}/chat`, summary: { total: 1, passed: 1, failed: 0, failures: [] } }],
    ['WR_notify_webhook', { url: `${url}/webhook`, payload: {} }],
    ['WR_notify_run_summary', { webhook_url: `${url}/summary` }],
    ['AT_notify_via_webhook', { webhook_url: `${url}/at-webhook`, summary: '1 passed' }],
    [
      'AT_post_pr_comment',
      { repo: 'ada/shop', pr_number: 7, token: 'token', body: 'done', api_base_url: `${url}/code` },
    ],
  ];
}

async function run(...args: readonly string[]): Promise<Awaited<ReturnType<typeof runPlan>>> {
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const actions = [['WR_set_record_enable', {}], ['FA_copy_file', { source: 'missing', target: 'b' }], ...sending(url)];
  await writeFile(join(copy, 'input.yaml'), JSON.stringify({ meta: { on_failure: 'continue' }, actions }));
  return await runPlan(copy, { args: [...args, '--allow', 'private'] });
}

test('a dry run tells nobody: no issue, result, message, comment', async () => {
  const { records, diagnostics } = await run('--dry-run');
  expect(diagnostics).toEqual([]);
  expect([...new Set(records.map(({ status }) => status))]).toEqual(['dry-run']);
  expect(records).toHaveLength(11);
  expect({ connections, asked }).toEqual({ connections: 0, asked: [] });
});

test('the same file sends to each of them when it is run', async () => {
  await run();
  const places = new Set(asked.map((each) => each.split('/')[1]?.split('?')[0]));
  expect(places).toEqual(new Set(['at-webhook', 'cases', 'chat', 'code', 'summary', 'tracker', 'webhook']));
});
