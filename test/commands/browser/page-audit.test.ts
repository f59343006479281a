import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { failureOf, session, type Session } from '../call.ts';
import { world } from '../worlds/page-auditor.ts';

describe('page audits', () => {
  let root: string;
  let unit: Session;
  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'svc-audit-'));
    await world({ root });
    unit = await session({ root, settings: { gates: { shell: true } } });
  });
  afterAll(async () => {
    await unit.end();
    await rm(root, { recursive: true });
  });
  const audit = (url: string, more: Record<string, unknown> = {}): Promise<unknown> =>
    unit.call('WR_perfaudit_run', { url, lighthouse_path: join(root, 'auditor'), ...more });

  it('yield the scores, and keep the report where it is wanted', async () => {
    const path = join(root, 'kept.json');
    expect(
      await audit('http://shop.test/', {
        output_path: path,
        chrome_flags: ['--headless', '--x'],
        extra_args: ['--only'],
      }),
    ).toMatchObject({
      scores: { performance: 0.5, accessibility: null, best_practices: 1, seo: null, pwa: null },
      report_path: path,
      raw: {
        args: [
          '--output=json',
          `--output-path=${path}`,
          '--quiet',
          '--no-enable-error-reporting',
          '--chrome-flags=--headless --x',
          '--only',
        ],
      },
    });
    expect(await readFile(path, 'utf8')).toContain('performance');
  });

  it('end with the words of the program, with the time, and leave no temporary report', async () => {
    const left = async (): Promise<readonly string[]> =>
      (await readdir(tmpdir())).filter((name) => /^svc-audit-.*report/.test(name));
    const before = await left();
    expect((await failureOf(audit('http://shop.test/broken'))).message).toContain('status 3: The page is broken');
    expect((await failureOf(audit('http://shop.test/slow', { timeout: 0.3 }))).facts.code).toBe('SVC82099');
    expect((await failureOf(audit('http://shop.test/', { lighthouse_path: 'no-such-auditor' }))).facts.code).toBe(
      'SVC82098',
    );
    expect(await left()).toEqual(before);
  });

  it('make the folder of the report, and take none that was there before for one of this page', async () => {
    const output_path = join(root, 'reports/of-today/shop.json');
    expect(await audit('http://shop.test/', { output_path })).toMatchObject({ report_path: output_path });
    const failure = await failureOf(audit('http://shop.test/silent', { output_path }));
    expect(failure.message).toContain('it wrote no report');
    expect(failure.facts.help ?? '').not.toContain('npm install');
  });

  it('tell all scores that are too low', async () => {
    const result = { scores: { performance: 0.5, seo: null, pwa: 0.4 } };
    const failure = await failureOf(
      unit.call('WR_perfaudit_assert_scores', { result, thresholds: { performance: 0.5, seo: 0.1, pwa: 0.9 } }),
    );
    expect(failure.message).toBe('The page scores too low: seo has no score (at least 0.1), pwa 0.4 (at least 0.9).');
  });
});
