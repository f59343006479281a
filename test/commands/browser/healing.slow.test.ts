import { afterAll, beforeAll, expect, test } from 'vitest';

import { chromium, describeInChromium } from '../../fixtures/chromium.ts';
import { failureOf, session, type Session } from '../call.ts';

const page = `data:text/html,${encodeURIComponent('<b id="sum">7</b><i>one</i><i>two</i>')}`;

describeInChromium('an element that a fallback found', () => {
  let unit: Session;
  beforeAll(async () => {
    unit = await session({ settings: chromium.pages });
    await unit.call('WR_pw_launch', {});
    await unit.call('WR_pw_to_url', { url: page });
    await unit.call('WR_new_driver', { webdriver_name: 'chromium' });
    await unit.call('WR_to_url', { url: page });
    await unit.call('WR_save_test_object', { test_object_name: 'total', object_type: 'ID', locator: 'total' });
  });
  afterAll(() => unit.end());

  const notices = (): string => JSON.stringify(unit.events.filter(({ kind }) => kind === 'notice'));

  test.each(['WR_find_with_healing', 'WR_pw_find_with_healing'])(
    'is told by %s, with the action to write in place of the old one',
    async (command) => {
      const fallbacks = [
        ['TAG_NAME', 'i'],
        ['CSS_SELECTOR', '#sum'],
      ];
      await unit.call('WR_register_fallback_locators', { name: 'total', fallbacks });
      const before = notices().length;
      await unit.call(command, { name: 'total' });
      const healed = unit.evidence.find((piece) => piece.kind === 'text' && piece.name === 'healed');
      const patch = { test_object_name: 'total', object_type: 'CSS_SELECTOR', locator: '#sum' };
      expect(healed).toHaveProperty(
        'text',
        `"total" was found by css "#sum": id "total" found nothing; tag "i" found 2 elements\nIn its place: ${JSON.stringify(['WR_save_test_object', patch])}`,
      );
      const told = notices().slice(before);
      expect(told).toContain('was found by css');
      expect(told).toContain(JSON.stringify(JSON.stringify(['WR_save_test_object', patch])).slice(1, -1));
    },
  );

  test.each([
    ['WR_find_recorded_element', 'WR_element_is_displayed', {}, 'SVC81032'],
    ['WR_find_recorded_elements', 'WR_element_change_web_element', { element_index: 0 }, 'SVC81035'],
    ['WR_pw_find_element_with_test_object_record', 'WR_pw_element_is_visible', {}, 'SVC81032'],
    ['WR_pw_find_elements_with_test_object_record', 'WR_pw_element_change', { element_index: 0 }, 'SVC81035'],
  ])('%s of a name that nobody saved leaves nothing of before to %s', async (find, use, given, code) => {
    await unit.call('WR_save_test_object', { test_object_name: 'sum', object_type: 'ID' });
    await unit.call(find, { element_name: 'sum' });
    await unit.call(use, given);
    expect((await failureOf(unit.call(find, { element_name: 'summ' }))).facts.code).toBe('SVC81030');
    expect((await failureOf(unit.call(use, given))).facts.code).toBe(code);
  });
});
