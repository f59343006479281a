import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { nodeHost } from '#runtime/hosts/node.ts';

import { failureOf, session, type Session } from '../call.ts';

/**
 * Stands in for geckodriver, which this project's machines lack: it announces itself in the same words and notes what
 * it is asked.
 */
const driver = (log: string, answer: string, first: string): string => `#!${process.execPath}
${first}
const { createServer } = require('node:http');
const { appendFileSync } = require('node:fs');
createServer((request, response) => {
  let body = '';
  request.on('data', (chunk) => { body += chunk; });
  request.on('end', () => {
    appendFileSync(${JSON.stringify(log)}, JSON.stringify([request.method, request.url, body === '' ? null : JSON.parse(body)]) + '\\n');
    ${answer}
    const value = request.url === '/session' ? { sessionId: 's1', capabilities: { browserName: 'firefox', timeouts: { implicit: 0, pageLoad: 7000, script: null } } } : null;
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ value }));
  });
}).listen(0, '127.0.0.1', function () { console.log('1700000000000\\tgeckodriver\\tINFO\\tListening on 127.0.0.1:' + this.address().port); });
`;

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-firefox-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function withDriver(
  name: string,
  answer = '',
  startMs = 20_000,
  first = '',
): Promise<{ readonly unit: Session; asked(): Promise<unknown[]> }> {
  const place = join(folder, name);
  await mkdir(place);
  const log = join(place, 'log');
  await writeFile(join(place, 'geckodriver'), driver(log, answer, first));
  await chmod(join(place, 'geckodriver'), 0o755);
  await writeFile(join(place, 'firefox'), '', { mode: 0o755 });
  const env = { ...process.env, PATH: `${place}:${process.env['PATH'] ?? ''}` };
  const unit = await session({
    host: nodeHost({ env }),
    settings: { limits: { browser_start_ms: startMs } },
  });
  return {
    unit,
    asked: async () =>
      (await readFile(log, 'utf8'))
        .trim()
        .split('\n')
        .map((line): unknown => JSON.parse(line)),
  };
}

test.skipIf(process.platform === 'win32')(
  'Firefox gets its own options, its add-ons once it runs, and its own limits',
  async () => {
    const extension = join(folder, 'mark');
    await mkdir(extension);
    await writeFile(join(extension, 'manifest.json'), '{}');
    const { unit, asked } = await withDriver('first');
    await unit.call('WR_new_driver', {
      webdriver_name: 'firefox',
      options: ['-private'],
      extension_paths: [extension],
      enable_bidi: true,
    });
    await unit.call('WR_check_current_webdriver', {
      check_dict: { name: 'firefox', timeouts: { implicit: 0, pageLoad: 7, script: 30 } },
    });
    expect((await failureOf(unit.call('WR_cdp', { method: 'Page.reload' }))).facts.code).toBe('SVC81073');
    await unit.end();
    // The evidence of the failed step asks the page, too.
    const asks = (await asked()).filter((each) => !JSON.stringify(each).includes('/execute/sync'));
    expect(asks).toEqual([
      [
        'POST',
        '/session',
        {
          capabilities: {
            firstMatch: [{}],
            alwaysMatch: {
              browserName: 'firefox',
              'moz:firefoxOptions': { binary: join(folder, 'first', 'firefox'), args: ['-headless', '-private'] },
              webSocketUrl: true,
            },
          },
        },
      ],
      ['POST', '/session/s1/moz/addon/install', { path: extension, temporary: true }],
      // The picture of the failed step.
      ['GET', '/session/s1/screenshot', null],
      ['DELETE', '/session/s1', null],
    ]);
  },
);

test.skipIf(process.platform === 'win32')(
  'a driver whose port is taken in the other family of addresses is started again',
  async () => {
    const tries = join(folder, 'tries');
    const taken = `const { appendFileSync: note, statSync: look } = require('node:fs');
note(${JSON.stringify(tries)}, '.');
if (look(${JSON.stringify(tries)}).size < 3) { console.log('IPv4 port not available. Exiting...'); process.exit(1); }`;
    const { unit } = await withDriver('crowded', '', 20_000, taken);
    await unit.call('WR_new_driver', { webdriver_name: 'firefox' });
    expect(await readFile(tries, 'utf8')).toBe('...');
    await unit.end();
  },
);

test.skipIf(process.platform === 'win32')(
  'a driver that never answers, or dies in the middle, is a failure in time',
  async () => {
    const silent = await withDriver('silent', 'return;', 6000);
    expect((await failureOf(silent.unit.call('WR_new_driver', { webdriver_name: 'firefox' }))).facts.code).toBe(
      'SVC81005',
    );
    await silent.unit.end();
    const dying = await withDriver(
      'dying',
      'response.writeHead(200, { "content-length": 100 }).write("{"); setTimeout(() => process.exit(3), 50); return;',
    );
    expect((await failureOf(dying.unit.call('WR_new_driver', { webdriver_name: 'firefox' }))).facts.code).toBe(
      'SVC81004',
    );
    await dying.unit.end();
  },
);
