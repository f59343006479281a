import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { chromium, describeInChromium } from '../../fixtures/chromium.ts';
import { servePages, type Pages } from '../../fixtures/chromium-pages.ts';
import { decodePng } from '../../fixtures/chromium-png.ts';
import { call, failureOf, session, type Session } from '../call.ts';

let folder = '';
beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), 'svc-checks-'))));
afterAll(() => rm(folder, { recursive: true }));

describeInChromium('checks of a page', () => {
  let pages: Pages;
  let unit: Session;
  beforeAll(async () => {
    pages = await servePages();
    unit = await session({ settings: chromium.pages, unit: { base_url: { lit: `${pages.url}/` } } });
    await unit.call('WR_new_driver', { webdriver_name: 'chromium', options: ['--window-size=400,300'] });
    await unit.call('WR_pw_launch', {});
  });
  afterAll(async () => {
    await unit.end();
    await pages[Symbol.asyncDispose]();
  });

  test('both engines find the same faults, in frames too', async () => {
    await unit.call('WR_to_url', { url: '/faults' });
    await unit.call('WR_pw_to_url', { url: '/faults' });
    const found = await Promise.all(
      ['WR_a11y_run_audit', 'WR_pw_a11y_run_audit'].map(async (command) =>
        unit.call('WR_a11y_summarise', { results: await unit.call(command) }),
      ),
    );
    expect(found[0]).toEqual(found[1]);
    const summary = found[0] as readonly { id: string; nodes: number; elements: readonly unknown[] }[];
    const ids = summary.map(({ id, nodes }) => [id, nodes]);
    // The one place of the field is inside a frame.
    expect(summary.find(({ id }) => id === 'label')?.elements).toEqual([
      { selector: expect.stringContaining(' >> '), snippet: expect.stringContaining('<input') },
    ]);
    expect(ids).toEqual(
      expect.arrayContaining([
        ['image-alt', 1],
        ['label', 1],
      ]),
    );
  });

  /** A page with a text and, in a frame of another site, a field with that text. */
  const framed = (text: string): string => `const frame = document.createElement('iframe');
    frame.id = 'other';
    document.body.innerHTML = '<p></p>';
    document.querySelector('p').textContent = '${text}';
    const loaded = new Promise((resolve) => { frame.onload = () => resolve(null); });
    frame.src = '${pages.url.replace('127.0.0.1', 'localhost')}/frames/leaf';
    document.body.append(frame);
    return loaded;`;

  test('both engines audit frames of other sites', async () => {
    await unit.call('WR_to_url', { url: '/far' });
    await unit.call('WR_execute_script', { script: framed('apart') });
    await unit.call('WR_pw_to_url', { url: '/far' });
    await unit.call('WR_pw_evaluate', { expression: `(() => { ${framed('apart')} })()` });
    for (const command of ['WR_a11y_run_audit', 'WR_pw_a11y_run_audit']) {
      const { violations, incomplete } = (await unit.call(command)) as {
        readonly [part in 'violations' | 'incomplete']: readonly { readonly id: string }[];
      };
      const summary = await unit.call('WR_a11y_summarise', { results: { violations } });
      expect(summary).toContainEqual(
        expect.objectContaining({ id: 'label', elements: [expect.objectContaining({ selector: '#other >> #field' })] }),
      );
      expect(incomplete.map(({ id }) => id)).not.toContain('frame-tested');
    }
  });

  const blur = 'document.activeElement.blur()';
  const pictures = {
    webdriver: async (text: string, isSecret: boolean): Promise<void> => {
      const type = async (css: string): Promise<void> => {
        await unit.call('WR_save_test_object', { test_object_name: 'it', object_type: 'css_selector', locator: css });
        await unit.call('WR_find_recorded_element', { element_name: 'it' });
        await unit.call('WR_element_input', { input_value: text });
      };
      await unit.call('WR_to_url', { url: '/input' });
      if (isSecret) await type('#secret');
      await unit.call('WR_execute_script', { script: framed(text) });
      await unit.call('WR_iframe_switch_chain', { selectors: ['#other'] });
      await type('#field');
      await unit.call('WR_execute_script', { script: blur });
      await failureOf(unit.call('WR_element_assert', { check_dict: { tag_name: 'nothing' } }));
      await unit.call('WR_iframe_back_to_default');
    },
    playwright: async (text: string, isSecret: boolean): Promise<void> => {
      await unit.call('WR_pw_to_url', { url: '/input' });
      if (isSecret) await unit.call('WR_pw_fill', { selector: '#secret', value: text });
      await unit.call('WR_pw_evaluate', { expression: `(() => { ${framed(text)} })()` });
      await unit.call('WR_pw_frame_locator_chain', { selectors: ['#other'] });
      await unit.call('WR_pw_fill', { selector: '#field', value: text });
      await unit.call('WR_pw_evaluate', { expression: blur });
      await failureOf(unit.call('WR_pw_click', { selector: '##' }));
      await unit.call('WR_pw_frame_locator_chain', { selectors: [] });
    },
  };

  test.each(['webdriver', 'playwright'] as const)(
    'a picture of a failure over %s shows no secret, in text neither and in no frame of another site',
    async (engine) => {
      const picture = async (text: string, isSecret: boolean): Promise<Buffer> => {
        let bytes: Uint8Array | undefined;
        const stop = unit.events.length;
        await pictures[engine](text, isSecret);
        for (const event of unit.events.slice(stop))
          if (event.kind === 'step-finished')
            for (const each of event.evidence) if (each.kind === 'picture') bytes = each.bytes;
        return Buffer.from(bytes ?? []);
      };
      const shown = await picture(`canary-${engine}-Wm`, true);
      expect(shown.length).toBeGreaterThan(1000);
      expect(shown.equals(await picture(`canary-${engine}-il`, true))).toBe(true);
      expect(shown.equals(await picture(`public-${engine}-il`, false))).toBe(false);
      const open = await picture(`public-${engine}-il`, false);
      expect(open.equals(await picture(`public-${engine}-Wm`, false))).toBe(false);
    },
  );

  test('rules can be chosen, and pages that forbid scripts are audited', async () => {
    await unit.call('WR_to_url', { url: '/strict' });
    await unit.call('WR_pw_to_url', { url: '/strict' });
    const options = { runOnly: ['document-title'] };
    for (const command of ['WR_a11y_run_audit', 'WR_pw_a11y_run_audit'])
      expect(await unit.call(command, { options })).toMatchObject({
        violations: [],
        passes: [{ id: 'document-title' }],
      });
    const failure = await failureOf(
      unit.call('WR_pw_a11y_run_audit', { options: { runOnly: { type: 'rule', values: ['no-such-rule'] } } }),
    );
    expect(failure.facts.code).toBe('SVC82110');
    expect(failure.message).toContain('no-such-rule');
  });

  test('audits need no network', async () => {
    for (const prefix of ['WR_', 'WR_pw_']) {
      await unit.call(`${prefix}to_url`, { url: '/faults' });
      await unit.call(`${prefix}throttle`, { preset: 'offline' });
      const found = (await unit.call(`${prefix}a11y_run_audit`)) as { readonly violations: readonly unknown[] };
      await unit.call(`${prefix}throttle_clear`);
      expect(found.violations).not.toEqual([]);
    }
  });

  test('the gate of scripts holds audits', async () => {
    await using closed = await session({ settings: { ...chromium.pages, gates: { script: false } } });
    await closed.call('WR_pw_launch');
    expect((await failureOf(closed.call('WR_pw_a11y_run_audit'))).message).toContain('script');
  });

  test('metrics of both engines are those that the page measured, inputs and shifts too', async () => {
    for (const [prefix, click] of [
      [
        'WR_',
        async () => {
          await unit.call('WR_save_test_object', { test_object_name: 'slow', object_type: 'id' });
          await unit.call('WR_find_recorded_element', { element_name: 'slow' });
          await unit.call('WR_element_click');
        },
      ],
      ['WR_pw_', () => unit.call('WR_pw_click', { selector: '#slow' })],
    ] as const) {
      await unit.call(`${prefix}to_url`, { url: '/shift' });
      const before = (await unit.call(`${prefix}perf_collect`, { observe_ms: 400 })) as Record<string, number>;
      expect(Object.keys(before).toSorted()).toEqual(['cls', 'dom_content_loaded', 'fcp', 'lcp', 'load', 'ttfb']);
      expect(before['cls']).toBeGreaterThan(0);
      expect(before['lcp']).toBeGreaterThanOrEqual(before['fcp'] ?? Infinity);
      await click();
      await expect
        .poll(async () => ((await unit.call(`${prefix}perf_collect`, { observe_ms: 0 })) as { inp?: number }).inp ?? 0)
        .toBeGreaterThanOrEqual(104);
    }
  });

  test('pictures show no caret and no moment of an animation, and leave both as they were', async () => {
    await unit.call('WR_to_url', { url: '/moved' });
    const body = `document.body.innerHTML = '<style>@keyframes turn { to { rotate: 1turn } } i { animation: turn 7s linear infinite }</style>'
      + '<i style="display: block; width: 40px; height: 9px; background: red"></i><input style="font-size: 40px">';
      document.querySelector('input').focus();
      document.getAnimations()[0].currentTime = 1000`;
    await unit.call('WR_execute_script', { script: body });
    const baseline_path = join(folder, 'pictures', 'still.png');
    await unit.call('WR_visual_capture_baseline', { baseline_path });
    const left = {
      script:
        'return [document.getAnimations()[0].currentTime > 999, document.getAnimations()[0].playState, document.adoptedStyleSheets.length]',
    };
    expect(await unit.call('WR_execute_script', left)).toEqual([true, 'running', 0]);
    await unit.call('WR_execute_script', {
      script:
        'document.getAnimations()[0].currentTime = 3000; document.querySelector("input").style.caretColor = "red"',
    });
    expect(await unit.call('WR_visual_compare', { baseline_path })).toMatchObject({ match: true, pixel_diff: 0 });
  });

  test('pages of the second engine are compared too, without the elements that change', async () => {
    await using second = await session({ settings: chromium.pages });
    const baseline_path = join(folder, 'pictures', 'second.png');
    const body = (text: string, color: string): Record<string, unknown> => ({
      expression: `document.body.innerHTML = '<p id="when">${text}</p><p id="box" style="background: ${color}">box</p>'`,
    });
    const params = { baseline_path, engine: 'playwright', per_platform: true };
    await second.call('WR_pw_launch');
    await second.call('WR_pw_evaluate', body('one', 'red'));
    expect(await second.call('WR_visual_capture_baseline', params)).toMatch(/second-chromium-\w+\.png$/);
    await second.call('WR_pw_evaluate', body('another', 'red'));
    expect(await second.call('WR_visual_compare', params)).toMatchObject({ match: false });
    const ignore_regions = [{ css: '#when' }];
    expect(await second.call('WR_visual_compare', { ...params, ignore_regions })).toMatchObject({ match: true });
    await second.call('WR_pw_evaluate', body('another', 'blue'));
    expect(await second.call('WR_visual_compare', { ...params, ignore_regions })).toMatchObject({ match: false });
    const unreadable = { ...params, ignore_regions: [{ css: '#when[' }] };
    expect((await failureOf(second.call('WR_visual_compare', unreadable))).facts.code).toBe('SVC81038');
  });

  test('pictures are compared point by point, within tolerances and outside of regions', async () => {
    await unit.call('WR_to_url', { url: '/moved' });
    const baseline_path = join(folder, 'pictures', 'moved.png');
    await unit.call('WR_visual_capture_baseline', { baseline_path });
    expect(await unit.call('WR_visual_compare', { baseline_path })).toEqual({
      match: true,
      pixel_diff: 0,
      diff_image_path: null,
    });
    await unit.call('WR_execute_script', { script: 'document.getElementById("box").style.left = "22px"' });
    const diff_path = join(folder, 'pictures', 'moved_diff.png');
    expect(await unit.call('WR_visual_compare', { baseline_path })).toEqual({
      match: false,
      pixel_diff: 40,
      diff_image_path: diff_path,
    });
    const drawn = decodePng(await readFile(diff_path));
    expect([drawn.pixel(20, 20), drawn.pixel(51, 20)]).toEqual([
      [255, 0, 0],
      [255, 0, 0],
    ]);
    expect(drawn.pixel(30, 22)).not.toEqual([255, 0, 0]);
    expect(await unit.call('WR_visual_compare', { baseline_path, threshold: 40 })).toMatchObject({
      match: true,
      pixel_diff: 40,
    });
    expect(await unit.call('WR_visual_compare', { baseline_path, threshold: 39 })).toMatchObject({ match: false });
    const ignore_regions = [{ x: 0, y: 0, width: 60, height: 60 }];
    expect(await unit.call('WR_visual_compare', { baseline_path, ignore_regions })).toMatchObject({
      match: true,
      pixel_diff: 0,
    });
    await unit.call('WR_execute_script', {
      script: 'Object.assign(document.getElementById("box").style, { left: "20px", background: "rgb(203, 0, 0)" })',
    });
    expect(await unit.call('WR_visual_compare', { baseline_path })).toMatchObject({ pixel_diff: 300 });
    expect(await unit.call('WR_visual_compare', { baseline_path, color_tolerance: 0.1 })).toMatchObject({
      pixel_diff: 0,
    });
    const failure = await failureOf(unit.call('WR_visual_compare', { baseline_path, must_match: true }));
    expect(failure.message).toBe(
      `The page does not look like the baseline "${baseline_path}": 300 points differ, 0 may.`,
    );
    await unit.call('WR_set_window_size', { width: 500, height: 400 });
    expect(await unit.call('WR_visual_compare', { baseline_path })).toMatchObject({
      match: false,
      pixel_diff: -1,
      reason: 'size mismatch',
    });
    expect((await failureOf(unit.call('WR_visual_compare', { baseline_path, must_match: true }))).message).toMatch(
      /": it is \d+ x \d+ points large, the baseline \d+ x \d+\.$/,
    );
    await unit.call('WR_set_window_size', { width: 400, height: 300 });
    await using storing = await session({ settings: { ...chromium.pages, update_snapshots: true } });
    await storing.call('WR_new_driver', { webdriver_name: 'chromium', options: ['--window-size=400,300'] });
    await storing.call('WR_to_url', { url: `${pages.url}/moved` });
    const own = { baseline_path: join(folder, 'own', 'moved.png'), per_platform: true, must_match: true };
    expect(await storing.call('WR_visual_compare', own)).toMatchObject({ match: true, baseline: 'created' });
    const [file] = await readdir(join(folder, 'own'));
    expect(file).toMatch(/^moved-chrome(?:_headless_shell)?-linux\.png$/);
    await storing.call('WR_execute_script', { script: 'document.getElementById("box").style.left = "22px"' });
    expect(await storing.call('WR_visual_compare', own)).toMatchObject({
      match: true,
      pixel_diff: 40,
      baseline: 'updated',
    });
    expect(storing.evidence.map(({ kind, ...piece }) => [kind, 'name' in piece && piece.name])).toEqual([
      ['picture', 'baseline'],
      ['picture', 'current'],
      ['picture', 'difference'],
    ]);
    expect(await storing.call('WR_visual_compare', own)).toEqual({ match: true, pixel_diff: 0, diff_image_path: null });
    expect(await readdir(join(folder, 'own'))).toEqual([file]);
    await writeFile(baseline_path, 'no picture');
    expect((await failureOf(unit.call('WR_visual_compare', { baseline_path }))).facts.code).toBe('SVC82133');
  });
});

describe('snapshots of texts', () => {
  test('are created, matched as they are, and show what differs', async () => {
    const snapshot_dir = join(folder, 'snapshots');
    const value = 'one\r\ntwo\nthree\n\uFEFF';
    const match = (name: string, text: string, env = '0'): Promise<unknown> =>
      withCi(env, () => call('WR_match_snapshot', { name, value: text, snapshot_dir }));
    expect(await match('menu/of the day', value)).toBe('created');
    expect(await match('menu/of the day', value)).toBe('matched');
    expect(await readFile(join(snapshot_dir, 'menu_of_the_day.snap'), 'utf8')).toBe(value);
    const failure = await failureOf(match('menu/of the day', value.replace('two', 'zwei')));
    expect(failure.facts.code).toBe('SVC82100');
    for (const line of ['--- menu_of_the_day.snap', '+++ menu_of_the_day.candidate', '-two', '+zwei'])
      expect(failure.message).toContain(line);
    const update = (text: string): Promise<unknown> =>
      withCi('true', () =>
        call(
          'WR_match_snapshot',
          { name: 'menu/of the day', value: text, snapshot_dir },
          { settings: { update_snapshots: true } },
        ),
      );
    expect([await update(value), await update('other'), await update(value)]).toEqual([
      'matched',
      'updated',
      'updated',
    ]);
    const shared = await failureOf(match('menu_of the_day', value));
    expect(shared.message).toContain('"menu/of the day"');
    expect((await failureOf(match('fresh', value, 'true'))).facts.code).toBe('SVC82101');
    expect(await call('WR_update_snapshot', { name: 'fresh', value, snapshot_dir })).toBe(
      join(snapshot_dir, 'fresh.snap'),
    );
    expect(await match('fresh', value, 'true')).toBe('matched');
    expect(await call('WR_delete_snapshot', { name: 'fresh', snapshot_dir })).toBe(true);
    expect(await call('WR_delete_snapshot', { name: 'menu/of the day', snapshot_dir })).toBe(true);
    expect(await readdir(snapshot_dir)).toEqual([]);
  });
});

/** The variable is read when a unit begins. */
async function withCi<T>(value: string, work: () => Promise<T>): Promise<T> {
  const before = process.env['CI'];
  process.env['CI'] = value;
  try {
    return await work();
  } finally {
    if (before === undefined) delete process.env['CI'];
    else process.env['CI'] = before;
  }
}
