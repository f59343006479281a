import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { chromium, describeInChromium } from '../../fixtures/chromium.ts';
import { failureOf, session, type Session } from '../call.ts';

const page = `data:text/html,${encodeURIComponent('<iframe srcdoc="<b id=deep>8</b>"></iframe><b id="sum">7</b><i>one</i><i>two</i>')}`;
const engines = {
  webdriver: { start: 'WR_new_driver', open: 'WR_to_url', given: { webdriver_name: 'chromium' } },
  playwright: { start: 'WR_pw_launch', open: 'WR_pw_to_url', given: {} },
} as const;

for (const [engine, { start, open, given }] of Object.entries(engines))
  describeInChromium(`a model and the page of ${engine}`, () => {
    let root = '';
    let unit: Session;
    beforeAll(async () => {
      root = await mkdtemp(join(tmpdir(), 'svc-llm-'));
      await writeFile(
        join(root, 'model.mjs'),
        `export const model = (prompt) => prompt.includes('<i>one</i>') ? /"description":"(.*?)"/.exec(prompt)[1].replaceAll('\\'', '"') : 'no page';`,
      );
      unit = await session({ root, settings: { ...chromium.pages, gates: { packages: true } } });
      await unit.call('WR_llm_set_callable', { callable_obj: './model.mjs#model' });
      await unit.call(start, given);
      await unit.call(open, { url: page });
    });
    afterAll(async () => {
      await unit.end();
      await rm(root, { recursive: true });
    });
    const heal = (strategy: string, value: string): Promise<unknown> =>
      unit.call('WR_llm_self_heal_locator', { name: `{'strategy': '${strategy}', 'value': '${value}'}` });

    test('a locator that finds one element is yielded', async () => {
      expect(await heal('CSS_SELECTOR', '#sum')).toEqual({ strategy: 'CSS_SELECTOR', value: '#sum' });
      expect(await heal('ID', 'sum')).toEqual({ strategy: 'ID', value: 'sum' });
    });

    test.each([
      ['TAG_NAME', 'i', 'finds 2 elements'],
      ['CSS_SELECTOR', '#deep', 'finds nothing'],
      ['XPATH', '//b[', 'finds nothing'],
    ])('one of another kind is refused: %s %s %s', async (strategy, value, why) => {
      const { facts, message } = await failureOf(heal(strategy, value));
      expect([facts.code, message]).toEqual(['SVC82904', expect.stringContaining(why)]);
    });
  });
