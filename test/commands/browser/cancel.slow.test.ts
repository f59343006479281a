import { afterAll, beforeAll, expect, test } from 'vitest';

import type { Evidence } from '#runtime/kernel/ports.ts';

import { chromium, describeInChromium } from '../../fixtures/chromium.ts';
import { decodePng } from '../../fixtures/chromium-png.ts';
import { servePages, type Pages } from '../../fixtures/chromium-pages.ts';
import { failureOf, session, type Session } from '../call.ts';

interface EngineNames {
  readonly title: string;
  readonly start: readonly [name: string, params: Readonly<Record<string, unknown>>];
  readonly open: string;
  readonly script: (session: Session, code: string) => Promise<unknown>;
}

const engines: readonly EngineNames[] = [
  {
    title: 'WebDriver',
    start: ['WR_new_driver', { webdriver_name: 'chrome' }],
    open: 'WR_to_url',
    script: (unit, code) => unit.call('WR_execute_script', { script: `return ${code}` }),
  },
  {
    title: 'second engine',
    start: ['WR_pw_launch', {}],
    open: 'WR_pw_to_url',
    script: (unit, code) => unit.call('WR_pw_evaluate', { expression: code }),
  },
];

for (const engine of engines) {
  describeInChromium(`a cancelled or failed step of ${engine.title}`, () => {
    let pages: Pages;
    let unit: Session;
    beforeAll(async () => {
      pages = await servePages();
      unit = await session({ settings: chromium.pages });
      await unit.call(...engine.start);
    });
    afterAll(async () => {
      await unit.end();
      await pages[Symbol.asyncDispose]();
    });

    test('its time limit ends a page that never finishes, and the browser can be used at once', async () => {
      const begin = performance.now();
      const failure = await failureOf(unit.call(engine.open, { url: `${pages.url}/endless` }, { timeout_s: 0.7 }));
      expect(failure.facts.kinds).toContain('timeout');
      await unit.call(engine.open, { url: `${pages.url}/` }, { timeout_s: 5 });
      expect(await engine.script(unit, 'document.title')).toBe('Corner shop');
      expect(performance.now() - begin).toBeLessThan(4000);
    });

    test('a step that fails shows the page', async () => {
      await unit.call(engine.open, { url: `${pages.url}/terms.html` });
      const { failure } = await unit.step(engine.open, { url: 'nowhere.html' });
      expect(failure?.facts.code).toBe('SVC81020');
      const picture = unit.evidence.find(
        (piece): piece is Extract<Evidence, { kind: 'picture' }> => piece.kind === 'picture',
      );
      expect(decodePng(picture?.bytes ?? new Uint8Array()).width).toBeGreaterThan(300);
      expect(unit.evidence).toContainEqual({
        kind: 'text',
        name: 'page',
        text: `Terms of sale\n${pages.url}/terms.html`,
      });
    });
  });
}
