import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { membersOf, type Member } from '#stdlib/browser/authoring/pom/members.ts';
import { pageObject } from '#stdlib/browser/authoring/pom/page-object.ts';

import { root } from '../../built.ts';
import { describeInChromium } from '../../fixtures/chromium.ts';
import { openPage } from '../../fixtures/playwright-page.ts';
import type { Session } from '../call.ts';

const folder = new URL('../../fixtures/real-pages/', import.meta.url);
const pages = readdirSync(folder).map((name) => [name, readFileSync(new URL(name, folder), 'utf8')] as const);

/** Links with the same words to the same address are one. */
const marking = `[...document.querySelectorAll('*')].forEach((each, index) =>
  each.setAttribute('data-mark', each.localName === 'a' ? each.textContent + each.href : index))`;

/** Changes of a page beside the elements that people use, as its next version, or another visitor, brings them. */
const elsewhere = `
let made = 90;
for (const each of document.querySelectorAll('[id]')) {
  if (!/:|^(?:mat-|_r_)|8f3a|169999/.test(each.id)) continue;
  const label = document.querySelector('label[for=' + JSON.stringify(each.id) + ']');
  each.id = ':r' + (made++) + ':';
  if (label) label.htmlFor = each.id;
}
for (const each of document.querySelectorAll('[class]')) each.className = [...each.classList].map((name) => name + '_k9').join(' ');
for (const parent of document.querySelectorAll('form, fieldset, section, nav, ul, tbody')) parent.append(parent.firstElementChild);
document.body.insertAdjacentHTML('afterbegin', '<header><p class="logo">News</p><a href="/news" class="back-link">News</a><button class="add">Dismiss</button><input name="coupon" placeholder="Coupon"></header>');`;

describeInChromium('page objects of pages as people build them', () => {
  let unit: Session;
  let page: Page;
  beforeAll(async () => {
    ({ unit, page } = await openPage());
  });
  afterAll(() => unit.end());

  async function members(source: string): Promise<readonly Member[]> {
    const html = await unit.work.port('html', unit.work.linked);
    return membersOf(html.elements(source));
  }

  /** Marks of the elements that a locator finds. */
  async function found({ strategy, value }: Member): Promise<readonly unknown[]> {
    await unit.call('WR_pw_save_test_object_to_selector', {
      test_object_name: 'it',
      object_type: strategy,
      locator: value,
    });
    const hits = await unit.call('WR_pw_find_elements_with_test_object_record', { element_name: 'it' });
    const marks = new Set<unknown>();
    for (const element_index of (hits as readonly unknown[]).keys()) {
      await unit.call('WR_pw_element_change', { element_index });
      marks.add(await unit.call('WR_pw_element_get_attribute', { name: 'data-mark' }));
    }
    return [...marks];
  }

  test.each(pages)('%s: each member finds one element, the same after changes elsewhere', async (_, source) => {
    await page.setContent(source);
    await page.evaluate(marking);
    const all = await members(source);
    const marks: unknown[] = [];
    for (const member of all) {
      const hits = await found(member);
      expect([member.constant, hits.length]).toEqual([member.constant, 1]);
      marks.push(hits[0]);
    }
    expect(new Set(marks).size).toBe(all.length);
    await page.evaluate(elsewhere);
    const after = await members(await page.content());
    for (const [at, member] of all.entries()) {
      expect([member.constant, await found(member)]).toEqual([member.constant, [marks[at]]]);
      expect(after.filter(({ method }) => method === member.method)).toMatchObject([
        { strategy: member.strategy, value: member.value },
      ]);
    }
  });

  async function sourceOf(source: string): Promise<string> {
    const html = await unit.work.port('html', unit.work.linked);
    return pageObject('It', html.elements(source));
  }

  test.each([
    ['users.html', 'click_delete_of', 'Alan Turing', '#users tr[data-id="18"] button:nth-of-type(2)'],
    ['users.html', 'click_edit_of', 'Ada Lovelace', '#users tr[data-id="17"] button:nth-of-type(1)'],
    ['shop.html', 'click_add_to_cart_of', 'Blue mug', '[data-sku="A2"] .add'],
    ['shop.html', 'click_add_to_cart_of', 'A "big" bowl', '[data-sku="A3"] .add'],
  ])('%s: what rows repeat is pressed in the row that is told: %s', async (name, method, row, pressed) => {
    const source = pages.find(([each]) => each === name)?.[1].replaceAll('Bowl', 'A "big" bowl') ?? '';
    await page.setContent(source);
    const code = stripTypeScriptTypes(await sourceOf(source));
    const { It } = (await import(`data:text/javascript,${encodeURIComponent(code)}`)) as {
      It: new (call: unknown) => Readonly<Record<string, (row: string) => Promise<void>>>;
    };
    let locator = '';
    const hits: boolean[] = [];
    const made = new It(async (command: string, params: Readonly<Record<string, string>>) => {
      if (command === 'WR_save_test_object') locator = params['locator'] ?? '';
      if (command !== 'WR_element_click') return;
      hits.push(
        ...(await page
          .locator(`xpath=${locator}`)
          .evaluateAll((all, css) => all.map((each) => each.matches(css)), pressed)),
      );
    });
    await made[method]?.(row);
    expect(hits).toEqual([true]);
  });

  test('each is one file that a strict project compiles and calls', async () => {
    const own = mkdtempSync(join(tmpdir(), 'svc-objects-'));
    const uses = pages.map(async ([name, source], at) => {
      const code = await sourceOf(source);
      writeFileSync(join(own, `page-${at}.ts`), code);
      const [, method = ''] = /^ {2}async ([^#(]+)\(\)/m.exec(code) ?? [];
      return `import { It as It${at} } from './page-${at}.ts';
export const done${at}: Promise<void> = new It${at}(call).${method}();
// @ts-expect-error: ${name} has no such member
void new It${at}(call).press_what_is_not_there();
`;
    });
    const call = 'declare const call: (command: string, params?: object) => Promise<unknown>;\n';
    writeFileSync(join(own, 'use.ts'), `${call}${(await Promise.all(uses)).join('')}`);
    writeFileSync(join(own, 'package.json'), '{ "type": "module" }');
    const compilerOptions = {
      strict: true,
      noUncheckedIndexedAccess: true,
      exactOptionalPropertyTypes: true,
      noUnusedLocals: true,
      erasableSyntaxOnly: true,
      verbatimModuleSyntax: true,
      allowImportingTsExtensions: true,
      module: 'nodenext',
      target: 'esnext',
      types: [],
      noEmit: true,
    };
    writeFileSync(join(own, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['use.ts'] }));
    const tsc = join(root, 'node_modules/typescript/bin/tsc');
    const { stdout, status } = spawnSync(process.execPath, [tsc, '-p', own], { encoding: 'utf8' });
    rmSync(own, { recursive: true });
    expect([stdout, status]).toEqual(['', 0]);
  });

  test('their names are those that a person would choose', async () => {
    const names = await Promise.all(
      pages.map(async ([name, source]) => [
        name,
        [...(await sourceOf(source)).matchAll(/^ {2}async ([^#(]+)\(/gm)].map(([, method]) => method),
      ]),
    );
    await expect(
      names
        .map(([name, list]) => `${String(name)}\n${(list as string[]).map((each) => `  ${each}`).join('\n')}`)
        .join('\n'),
    ).toMatchFileSnapshot('page-objects.txt');
  });
});
