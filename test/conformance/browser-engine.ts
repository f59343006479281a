import { readFile } from 'node:fs/promises';

import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

import type { Failure } from '#schemas/types/failure.ts';

import { failureOf, session, type Session } from '../commands/call.ts';
import { chromium } from '../fixtures/chromium-paths.ts';
import { servePages, type Pages } from '../fixtures/chromium-pages.ts';
import { decodePng } from '../fixtures/chromium-png.ts';

/** Actions that both engines can do, each in its own commands. Selectors are CSS. */
export interface BrowserEngine {
  /** The port behind its commands. */
  readonly port: 'webdriver' | 'playwright';
  start(unit: Session): Promise<void>;
  open(unit: Session, url: string): Promise<unknown>;
  back(unit: Session): Promise<unknown>;
  forward(unit: Session): Promise<unknown>;
  refresh(unit: Session): Promise<unknown>;
  title(unit: Session): Promise<unknown>;
  address(unit: Session): Promise<unknown>;
  /** Fails on a miss. */
  find(unit: Session, selector: string): Promise<unknown>;
  findAll(unit: Session, selector: string): Promise<unknown>;
  chooseFound(unit: Session, index: number): Promise<unknown>;
  click(unit: Session): Promise<unknown>;
  clear(unit: Session): Promise<unknown>;
  type(unit: Session, text: string): Promise<unknown>;
  text(unit: Session): Promise<unknown>;
  attribute(unit: Session, name: string): Promise<unknown>;
  property(unit: Session, name: string): Promise<unknown>;
  isVisible(unit: Session): Promise<unknown>;
  isEnabled(unit: Session): Promise<unknown>;
  choose(unit: Session, text: string): Promise<unknown>;
  waitVisible(unit: Session, selector: string, seconds: number): Promise<unknown>;
  waitHidden(unit: Session, selector: string, seconds: number): Promise<unknown>;
  /** Base64. */
  picture(unit: Session, path: string): Promise<unknown>;
  elementPicture(unit: Session, path: string): Promise<unknown>;
  /** The value of a script expression; `arg` is what the expression calls so. */
  script(unit: Session, expression: string, arg?: unknown): Promise<unknown>;
  /** Names and values of the cookies of the page. */
  cookies(unit: Session): Promise<Readonly<Record<string, string>>>;
}

/** Everything that an engine must do in the same way as the others. One browser serves all of it. */
export function conformBrowserEngine(engine: BrowserEngine, folder: () => string): void {
  let pages: Pages;
  let unit: Session;
  const failing = (work: Promise<unknown>): Promise<Failure> => failureOf(work);

  beforeAll(async () => {
    pages = await servePages();
    unit = await session({ settings: chromium.pages, unit: { base_url: { lit: `${pages.url}/` } } });
    await engine.start(unit);
  });
  afterAll(async () => {
    await unit.end();
    await pages[Symbol.asyncDispose]();
  });

  beforeEach(() => engine.open(unit, '/'));

  test('navigation goes there, back, forward and again, and completes addresses', async () => {
    await engine.open(unit, '/');
    expect(await engine.title(unit)).toBe('Corner shop');
    await engine.open(unit, 'terms.html');
    expect(await engine.address(unit)).toBe(`${pages.url}/terms.html`);
    await engine.back(unit);
    expect(await engine.title(unit)).toBe('Corner shop');
    await engine.forward(unit);
    expect(await engine.title(unit)).toBe('Terms of sale');
    await engine.script(unit, 'document.title = "changed"');
    await engine.refresh(unit);
    expect(await engine.title(unit)).toBe('Terms of sale');
    await engine.open(unit, 'data:text/html,<title>inline</title>');
    expect(await engine.title(unit)).toBe('inline');
  });

  test('a status above 400 is a page like any other; what cannot be reached is a failure', async () => {
    await engine.open(unit, '/missing');
    expect(await engine.title(unit)).toBe('Nothing here');
    expect((await failing(engine.open(unit, 'http://127.0.0.1:9/'))).facts).toMatchObject({
      code: 'SVC81022',
      kinds: ['network'],
      class: 'transient',
    });
    expect((await failing(engine.open(unit, 'http://nowhere.invalid/'))).facts).toMatchObject({
      code: 'SVC81025',
      class: 'environment',
    });
    expect((await failing(engine.open(unit, 'localhost:8080/x'))).facts.code).toBe('SVC81024');
    expect((await failing(engine.open(unit, 'javascript:document.title="no"'))).facts.code).toMatch(/^SVC81/);
  });

  test('elements are found, and a miss says selector, page and address', async () => {
    await engine.open(unit, '/');
    await engine.find(unit, 'h1');
    expect(await engine.text(unit)).toBe('Corner shop');
    const failure = await failing(engine.find(unit, '#nothing'));
    expect(failure.facts.code).toBe('SVC81031');
    expect(failure.facts.help).toMatch(/wait for it: `WR_\w*wait\w*: .* or `retry: \{ max_s: 10 \}`/);
    for (const part of ['#nothing', 'Corner shop', `${pages.url}/`]) expect(failure.message).toContain(part);
    expect((await failing(engine.text(unit))).facts.code).toBe('SVC81032');
    expect((await failing(engine.find(unit, '##'))).facts.code).toBe('SVC81038');
  });

  test('one of several becomes current', async () => {
    expect(await engine.findAll(unit, '#goods li')).toHaveLength(3);
    await engine.chooseFound(unit, 1);
    expect(await engine.text(unit)).toBe('Bread');
    expect((await failing(engine.chooseFound(unit, 3))).facts.code).toBe('SVC81035');
    expect(await engine.findAll(unit, '.nothing')).toEqual([]);
  });

  test('attributes, properties and states are read', async () => {
    await engine.find(unit, '#name');
    expect(await engine.attribute(unit, 'class')).toBe('field wide');
    expect(await engine.attribute(unit, 'nothing')).toBeNull();
    expect(await engine.property(unit, 'tabIndex')).toBe(0);
    expect(await engine.property(unit, 'nothing')).toBeNull();
    expect(await engine.isVisible(unit)).toBe(true);
    await engine.find(unit, '#hidden');
    expect(await engine.isVisible(unit)).toBe(false);
    await engine.find(unit, '#voucher');
    expect(await engine.isEnabled(unit)).toBe(false);
  });

  test('a form is filled and sent', async () => {
    await engine.find(unit, '#name');
    await engine.type(unit, 'Ada & "Söhne" 漢字');
    await engine.find(unit, '#mail');
    await engine.type(unit, 'wrong');
    await engine.clear(unit);
    await engine.type(unit, 'ada@shop.example');
    await engine.find(unit, '#size');
    await engine.choose(unit, 'Large');
    await engine.find(unit, '#gift');
    await engine.click(unit);
    expect(await engine.property(unit, 'checked')).toBe(true);
    await engine.find(unit, '#send');
    await engine.click(unit);
    await engine.waitVisible(unit, '#number', 5);
    expect(await engine.text(unit)).toBe('Order 1');
    expect(Object.fromEntries(new URLSearchParams(pages.orders[0]))).toEqual({
      name: 'Ada & "Söhne" 漢字',
      mail: 'ada@shop.example',
      secret: '',
      hidden: '',
      gift: 'on',
      size: 'l',
    });
  });

  test('an element of a page that was left cannot be used', async () => {
    await engine.open(unit, '/');
    await engine.find(unit, 'h1');
    await engine.refresh(unit);
    expect((await failing(engine.click(unit))).facts).toMatchObject({ code: 'SVC81033', class: 'transient' });
  });

  test('waits end when it is there, when it is gone, and when the time is over', async () => {
    await engine.refresh(unit);
    await engine.waitVisible(unit, '#late', 5);
    expect(await engine.text(unit)).toBe('Ready');
    await engine.waitHidden(unit, '#busy', 5);
    const begin = performance.now();
    const failure = await failing(engine.waitVisible(unit, '#hidden', 0.4));
    expect(failure.facts).toMatchObject({ code: 'SVC81050', kinds: ['timeout'] });
    expect(performance.now() - begin).toBeLessThan(2000);
  });

  test('pictures are PNGs of the page and of the element, written where they were asked for', async () => {
    await engine.open(unit, '/');
    const [width, height] = (await engine.script(unit, '[innerWidth, innerHeight]')) as [number, number];
    const picture = decodePng(Buffer.from(String(await engine.picture(unit, `${folder()}/deep/page`)), 'base64'));
    expect([picture.width, picture.height]).toEqual([width, height]);
    expect(picture.pixel(1, 1)).toEqual([255, 255, 255]);
    await engine.find(unit, 'h1');
    await engine.elementPicture(unit, `${folder()}/deep/element.png`);
    expect(decodePng(await readFile(`${folder()}/deep/page.png`)).width).toBeGreaterThan(300);
    expect(decodePng(await readFile(`${folder()}/deep/element.png`)).height).toBeLessThan(100);
  });

  test('scripts yield values, take elements, and tell what they threw', async () => {
    expect(await engine.script(unit, '({ a: [1, null, "x"] })')).toEqual({ a: [1, null, 'x'] });
    expect(await engine.script(unit, 'undefined')).toBeNull();
    const element = await engine.find(unit, 'h1');
    expect(await engine.script(unit, 'arg.textContent', element)).toBe('Corner shop');
    const failure = await failing(engine.script(unit, '(() => { throw new Error("no tea") })()'));
    expect(failure.facts.code).toBe('SVC81070');
    expect(failure.message).toContain('no tea');
  });

  test('scripts of commands run in the page of the port, elements and all', async () => {
    await engine.open(unit, '/');
    const port = await unit.work.port(engine.port, unit.work.linked);
    const { signal } = new AbortController();
    expect(
      await port.evaluate({ signal }, 'return [arguments[0].a + arguments[1], document.title]', [{ a: 1 }, 2]),
    ).toEqual([3, 'Corner shop']);
    await expect(port.evaluate({ signal }, 'throw new Error("no tea")', [])).rejects.toThrow('no tea');
    await expect(port.evaluate({ signal: AbortSignal.abort(new Error('too late')) }, 'return 1', [])).rejects.toThrow(
      'too late',
    );
  });

  test('a page that forbids evaluation is driven all the same', async () => {
    await engine.open(unit, '/strict');
    await engine.find(unit, 'h1');
    expect(await engine.property(unit, 'localName')).toBe('h1');
    expect(await engine.isVisible(unit)).toBe(true);
    expect(await engine.script(unit, '1 + 1')).toBe(2);
  });

  test('the gate of scripts holds', async () => {
    await using closed = await session({ settings: { ...chromium.pages, gates: { script: false } } });
    await engine.start(closed);
    expect((await failing(engine.script(closed, '1'))).message).toContain('script');
    expect((await failing(engine.open(closed, 'javascript:1'))).message).toContain('script');
  });

  test('cookies of the site are there', async () => {
    await engine.open(unit, '/');
    expect(await engine.cookies(unit)).toMatchObject({ visited: 'yes' });
  });

  test('what is typed into a password field is masked, other text is not', async () => {
    await engine.find(unit, '#secret');
    await engine.type(unit, 'correct horse');
    await engine.find(unit, '#name');
    await engine.type(unit, 'battery staple');
    expect(unit.work.run.masker.text('correct horse and battery staple')).toBe('*** and battery staple');
  });
}
