import { expect, test } from 'vitest';

import { chromium, describeInChromium } from '../../fixtures/chromium.ts';
import { failureOf, session } from '../call.ts';

test('the dashboard needs a secret beyond this machine, shows no secret, and starts once', async () => {
  await using unit = await session();
  expect((await failureOf(unit.call('WR_dashboard_start', { host: '0.0.0.0' }))).facts.code).toBe('SVC89001');
  const open = { host: '0.0.0.0', allow_non_loopback: true };
  expect((await failureOf(unit.call('WR_dashboard_start', open))).facts.code).toBe('SVC89002');
  const url = (await unit.call('WR_dashboard_start', { shared_secret: 'a-long-secret' })) as string;
  expect(await unit.call('WR_dashboard_start')).toBe(url);
  await unit.call('WR_set_record_enable');
  const params = { response: { a: 'a-long-secret' }, path: 'a-long-secret', name: 'a' };
  await unit.step('AT_extract_and_store', params, { name: 'takes a-long-secret' });
  expect((await fetch(`${url}records`)).status).toBe(401);
  const headers = { authorization: 'Bearer a-long-secret' };
  const records = await (await fetch(`${url}records`, { headers })).text();
  expect(JSON.parse(records)).toMatchObject({
    total: 1,
    failed: 1,
    records: [{ function_name: 'AT_extract_and_store', name: 'takes ***', status: 'failed' }],
  });
  expect(records).not.toContain('a-long-secret');
  const page = (await unit.call('WR_generate_html')) as string;
  expect(page).toContain('takes ***');
  expect(page).not.toContain('a-long-secret');
  expect((await fetch(`${url}other`, { headers })).status).toBe(404);
  await unit.call('WR_dashboard_stop');
  await expect(fetch(url)).rejects.toThrow();
  await unit.call('WR_dashboard_stop');
});

describeInChromium('the dashboard in a browser', () => {
  test('follows the run, and writes values as text', async () => {
    await using unit = await session({ settings: chromium.pages });
    await unit.call('WR_set_record_enable');
    await unit.call('AT_set_variable', { name: 'a', value: 1 });
    const url = await unit.call('WR_dashboard_start');
    await unit.call('WR_pw_launch');
    await unit.call('WR_pw_to_url', { url });
    const named = { name: 'takes <b>all</b>' };
    await unit.step('AT_extract_and_store', { response: {}, path: '<img src=x>', name: 'a' }, named);
    const rows = { expression: '[...document.querySelectorAll("#steps tr")].map((row) => row.textContent).join()' };
    await expect
      .poll(async () => await unit.call('WR_pw_evaluate', rows), { timeout: 10_000 })
      .toMatch(/takes <b>all<\/b>AT_extract_and_storefailed.*<img src=x>.*AT_set_variablepassed/s);
    expect(await unit.call('WR_pw_evaluate', { expression: 'document.images.length' })).toBe(0);
    const findings = async (): Promise<readonly string[]> =>
      (
        (await unit.call('WR_pw_a11y_run_audit')) as { readonly violations: readonly { readonly id: string }[] }
      ).violations.map(({ id }) => id);
    expect(await findings()).toEqual([]);
    await unit.call('WR_dashboard_stop');
    await unit.call('WR_pw_to_url', { url: await unit.call('WR_dashboard_start', { shared_secret: 'a-long-secret' }) });
    expect(await findings()).toEqual([]);
    // The field has the focus: no mouse is needed.
    for (const key of ['a', '-', 'l', 'Enter']) await unit.call('WR_pw_keyboard_press', { key });
    const alert = { expression: 'document.querySelector("[role=alert]")?.textContent' };
    await expect
      .poll(async () => await unit.call('WR_pw_evaluate', alert).catch(() => ''), { timeout: 10_000 })
      .toBe('That is not the secret.');
    expect(await findings()).toEqual([]);
  });
});
