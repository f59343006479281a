import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, expect, it } from 'vitest';

import { failureOf, session, type Session } from '../call.ts';

const SECRET = 'Zq7-kept-from-everybody-Zq7';
/** The secret stands where services' words are cut for a failure. */
const words = `${'x'.repeat(190)} ${SECRET} and so on`;

const AUDITOR = 'auditor';

let server: Server;
let url: string;
let root: string;
let unit: Session;
beforeEach(async () => {
  server = createServer((_, response) => {
    response.writeHead(400, { 'content-type': 'text/plain' }).end(words);
  });
  await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  root = await mkdtemp(join(tmpdir(), 'svc-words-'));
  await writeFile(join(root, 'model.mjs'), `export const answer = () => ${JSON.stringify(words)};`);
  await writeFile(join(root, AUDITOR), `#!/bin/sh\necho '${words}' >&2\nexit 3\n`, { mode: 0o755 });
  unit = await session({ root, settings: { gates: { private: true, shell: true, packages: true } } });
  await unit.call('WR_oauth_bearer_header', { access_token: SECRET });
});
afterEach(async () => {
  await unit.end();
  server.closeAllConnections();
  await new Promise((done) => server.close(done));
  await rm(root, { recursive: true });
});

const login = { email: 'ada@example.org', api_token: 'token-0001', project_key: 'SHOP', summary: 'The cart is empty' };

it.each([
  ['a token endpoint', 'WR_oauth_client_credentials', { token_url: '', client_id: 'shop', client_secret: 'long-1' }],
  ['an issue tracker', 'WR_tracker_create_issue', { base_url: '', ...login }],
  ['a webhook', 'WR_notify_webhook', { url: '', payload: {} }],
  ['a chat', 'AT_notify_via_webhook', { webhook_url: '', summary: 'done' }],
  ['a page auditor', 'WR_perfaudit_run', { url: 'http://shop.test/', perfaudit_path: AUDITOR }],
  ['a language model', 'WR_llm_generate_actions', { request: 'log in' }],
])('the words of %s show no part of a secret where they are cut', async (_name, command, params) => {
  if (command.startsWith('WR_llm')) await unit.call('WR_llm_set_callable', { callable_obj: './model.mjs#answer' });
  const given = Object.fromEntries(
    Object.entries(params).map(([key, value]) => [
      key,
      value === '' ? url : value === AUDITOR ? join(root, value) : value,
    ]),
  );
  const { message } = await failureOf(unit.call(command, given));
  expect(message).toContain('xxxx');
  expect(message).not.toContain('Zq7');
});
