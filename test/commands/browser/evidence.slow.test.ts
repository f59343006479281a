import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { load } from 'js-yaml';
import { afterAll, beforeAll, expect, test } from 'vitest';

import type { RunRecord } from '#schemas/types/record.ts';

import { chromium, describeInChromium } from '../../fixtures/chromium.ts';
import { servePages, type Pages } from '../../fixtures/chromium-pages.ts';
import { decodePng } from '../../fixtures/chromium-png.ts';
import { svc } from '../../cli/svc.ts';

/** Known to the run as a secret of its environment. */
const known = 'canary-known-7Qx';
/** Known to nobody: typed into fields that hide their text. */
const typed = 'canary-typed-5Wz';

const script = (text: string): string => `(() => { ${text} })()`;
/** Scripts are not filled: the page takes the secret from where it was typed. */
const token = "const token = document.getElementById('name').value;";
const says = `${token} console.error('lost ' + token); console.log('sent ' + token); document.title = 'Basket of ' + token;`;
const kept = `${token} localStorage.setItem('token', token); document.cookie = 'sid=canary-cookie-3Kd';`;
/** Tells of each key. */
const keyed =
  "document.getElementById('pass').addEventListener('input', ({ target }) => console.log('keyed ' + target.value));";
const asks = `${token} return fetch('/said-by?token=' + token, { headers: { authorization: 'Bearer ' + token } }).then((answer) => answer.text()).then(() => null);`;

/** The secret stands wherever the source of the page is cut, at 512 KiB. */
const long = `${token} const begin = document.documentElement.outerHTML.length; document.body.append(document.createComment('x'.repeat(512 * 1024 - begin - 200) + token.repeat(40)));`;

/** Counts how often an element of its own is made: a look at the page makes no other. */
const counts = `window.made = 0; customElements.define('x-made', class extends HTMLElement { constructor() { super(); window.made += 1; } }); document.body.append(document.createElement('x-made'));`;

/** The same on both engines: a page with secrets wherever a page can have some, then a step that fails. */
const actions = (url: string): readonly unknown[] => [
  ['WR_pw_launch', {}],
  ['WR_pw_to_url', { url: `${url}/forms` }],
  ['WR_pw_fill', { selector: '#name', value: '${env:SHOP_TOKEN}' }],
  ['WR_pw_fill', { selector: '#pass', value: typed }],
  ['WR_pw_evaluate', { expression: script(says) }],
  ['WR_pw_evaluate', { expression: script(kept) }],
  ['WR_pw_evaluate', { expression: script(asks) }],
  ['WR_pw_evaluate', { expression: `document.getElementById('pass').setAttribute('value', '${typed}')` }],
  ['WR_pw_evaluate', { expression: script(long) }],
  ['WR_pw_evaluate', { expression: script(counts) }],
  ['WR_pw_click', { selector: '#nothing' }, { timeout_s: 0.5 }],
  ['WR_pw_evaluate', { expression: 'window.made' }, { id: 'made' }],
  ['WR_new_driver', { webdriver_name: 'chromium' }],
  ['WR_to_url', { url: `${url}/forms` }],
  ['WR_save_test_object', { test_object_name: 'name', object_type: 'css_selector', locator: '#name' }],
  ['WR_save_test_object', { test_object_name: 'pass', object_type: 'css_selector', locator: '#pass' }],
  ['WR_find_recorded_element', { element_name: 'name' }],
  ['WR_element_input', { input_value: '${env:SHOP_TOKEN}' }],
  ['WR_execute_script', { script: keyed }],
  ['WR_find_recorded_element', { element_name: 'pass' }],
  ['WR_element_input', { input_value: typed }],
  ['WR_execute_script', { script: says }],
  ['WR_execute_script', { script: kept }],
  ['WR_execute_script', { script: asks }],
  ['WR_execute_script', { script: `document.getElementById('pass').setAttribute('value', '${typed}')` }],
  ['WR_execute_script', { script: long }],
  ['WR_execute_script', { script: counts }],
  ['WR_find_element', { element_name: 'nobody' }],
  ['WR_execute_script', { script: 'return window.made' }, { id: 'made-too' }],
  ['WR_get_log', { log_type: 'browser' }, { id: 'log', expect: 'len(result) > 0' }],
];

describeInChromium('evidence of failed steps', () => {
  let pages: Pages;
  let root = '';
  let stdout = '';
  let records: readonly RunRecord[] = [];
  beforeAll(async () => {
    pages = await servePages();
    root = realpathSync(mkdtempSync(join(tmpdir(), 'svc-evidence-')));
    mkdirSync(join(root, '.git'));
    writeFileSync(join(root, 'svc.config.json'), JSON.stringify({ browser: chromium.pages.browser }));
    const meta = { on_failure: 'continue', lint: [], secrets: ['SHOP_TOKEN'] };
    writeFileSync(join(root, 'shop.json'), JSON.stringify({ meta, actions: actions(pages.url) }));
    const flags = [
      '--reporter',
      'human',
      '--reporter',
      'html=page.html',
      '--reporter',
      'junit=junit.xml',
      '--record',
      'r.jsonl',
    ];
    const ended = await svc(root, ['run', 'shop.json', '--isolate', ...flags], { env: { SHOP_TOKEN: known } });
    stdout = ended.stdout;
    records = readFileSync(join(root, 'r.jsonl'), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as RunRecord);
    expect(
      records.filter(({ status }) => status === 'failed'),
      stdout,
    ).toHaveLength(2);
  });
  afterAll(async () => {
    await pages[Symbol.asyncDispose]();
    rmSync(root, { recursive: true, force: true });
  });

  const names = ['accessibility.yaml', 'console.txt', 'network.txt', 'page.html', 'picture.png'];
  /** Text of a file beside the failed step of each engine. */
  const both = (name: string): readonly string[] =>
    records.flatMap(({ evidence = [] }) =>
      evidence.filter((path) => path.endsWith(name)).map((path) => readFileSync(join(root, path), 'utf8')),
    );

  test('stand in a folder of the run for each step, which record, terminal and page tell', () => {
    const failed = records.filter(({ status }) => status === 'failed');
    for (const [index, { run, evidence = [] }] of failed.entries()) {
      const folder = `.svc/reports/${run}/file-1/failure-${index + 1}`;
      expect(evidence.toSorted()).toEqual(names.map((name) => `${folder}/${name}`));
      expect(readdirSync(join(root, folder)).toSorted()).toEqual(names);
      expect(decodePng(readFileSync(join(root, folder, 'picture.png'))).width).toBeGreaterThan(300);
      expect(stdout).toContain(
        `= page: ${folder}/picture.png\n   = beside it: accessibility.yaml, console.txt, network.txt, page.html`,
      );
      expect(readFileSync(join(root, 'page.html'), 'utf8')).toContain(`${folder}/page.html`);
      expect(readFileSync(join(root, 'junit.xml'), 'utf8')).toContain(`[[ATTACHMENT|${folder}/picture.png]]`);
    }
    expect(records.filter(({ status, evidence }) => status !== 'failed' && evidence !== undefined)).toEqual([]);
  });

  test('tell alike on both engines what was there', () => {
    const [first, second] = both('accessibility.yaml');
    expect(second).toBe(first);
    expect(first).toContain('- heading "Order" [level=1]');
    expect(first).toContain('- textbox "Your full name": "***"');
    expect(() => load(first ?? '')).not.toThrow();
    for (const text of both('console.txt')) {
      expect(text).toContain('lost ***');
      expect(text).toMatch(/sent (?:\*\*\*)/);
      expect(text).not.toContain(typed.slice(0, 8));
    }
    expect(both('console.txt')[1]).toMatch(/"keyed canary-"\n[^]*"keyed \*\*\*"/);
    for (const text of both('network.txt')) {
      expect(text).toMatch(/^200 .* navigation  http:.*\/forms$/m);
      expect(text).toMatch(/^200 .* fetch  http:.*\/said-by\?token=\*\*\*$/m);
    }
    for (const text of both('page.html')) {
      expect(text).toMatch(/^<!doctype html>\n<html[^]*<h1>Order<\/h1>[^]*value="\*\*\*"/);
      expect(text).toMatch(/x{100}(?:\*\*\*)+$/);
    }
  });

  test('make nothing of the page anew', () => {
    const made = records.filter(({ id }) => /#made(?:-too)?$/.test(id)).map(({ result }) => result);
    expect(made).toEqual([1, 1]);
  });

  test('leave the log of the browser to the step that asks for it', () => {
    const log = JSON.stringify(records.find(({ id }) => id.endsWith('#log'))?.result);
    expect(log).toContain('lost ***');
    expect(log).not.toContain('sent');
  });

  test('hold no secret, whatever a step, a page or a person typed it into', () => {
    const written = readdirSync(root, { recursive: true, withFileTypes: true }).filter(
      (entry) => entry.isFile() && entry.name !== 'shop.json',
    );
    expect(written.length).toBeGreaterThan(10);
    for (const { parentPath, name } of written) {
      const text = readFileSync(join(parentPath, name), 'latin1');
      expect(text.includes(known.slice(0, 8)), `${name} holds the secret of the environment`).toBe(false);
      if (!/\.(?:jsonl|html)$/.test(name) || parentPath.includes('failure-'))
        expect(text.includes(typed), `${name} holds what was typed`).toBe(false);
      expect(text.includes('canary-cookie') && parentPath.includes('failure-'), `${name} holds a cookie`).toBe(false);
    }
    expect(stdout).not.toContain(known);
  });
});
