import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { titleOf } from '#stdlib/browser/integrations/tracker/title.ts';

import { CASES_KEY, startCaseServices, TRACKER_TOKEN, type CaseServices } from '../../fixtures/case-services.ts';
import { svc } from '../../cli/svc.ts';
import { failureOf, session, type Session } from '../call.ts';

let services: CaseServices;
let unit: Session;
beforeEach(async () => {
  services = await startCaseServices();
  unit = await session({ settings: { gates: { private: true } } });
});
afterEach(async () => {
  await unit.end();
  await services[Symbol.asyncDispose]();
});

const NOW = { headers: { 'retry-after': '0' } };

describe('the issue tracker', () => {
  const login = (): Record<string, unknown> => ({
    base_url: `${services.url}//`,
    email: 'ada@example.org',
    api_token: TRACKER_TOKEN,
    project_key: 'SHOP',
  });
  const file = (more: Record<string, unknown> = {}): Promise<unknown> =>
    unit.call('WR_tracker_create_issue', { ...login(), summary: 'The cart is empty', ...more });

  it('gets the issue as its protocol says, with a paragraph for each line', async () => {
    expect(await file({ description: 'one\n\ntwo', extra_fields: { labels: ['nightly'] } })).toMatchObject({
      key: 'SHOP-1',
    });
    expect(services.issues[0]?.fields).toMatchObject({
      project: { key: 'SHOP' },
      summary: 'The cart is empty',
      issuetype: { name: 'Bug' },
      labels: ['nightly'],
      description: {
        type: 'doc',
        version: 1,
        content: [
          { type: 'paragraph', content: [{ type: 'text', text: 'one' }] },
          { type: 'paragraph' },
          { type: 'paragraph', content: [{ type: 'text', text: 'two' }] },
        ],
      },
    });
    await file();
    expect(services.issues[1]?.fields).not.toHaveProperty('description');
  });

  it.each([
    ['429, then taken', [{ status: 429, ...NOW }]],
    ['500 without a trace, then taken', [{ status: 500, ...NOW }]],
    ['503 after it was filed', [{ status: 503, after: true, ...NOW }]],
    ['an answer that was cut', ['cut' as const]],
    ['429, 502, and a cut answer', [{ status: 429, ...NOW }, { status: 502, ...NOW }, 'cut' as const]],
  ])('has it once: %s', async (_name, faults) => {
    services.fault(...faults);
    expect(await file()).toMatchObject({ key: 'SHOP-1' });
    expect(services.issues).toHaveLength(1);
  });

  it('is looked through on all pages for an issue whose answer was lost', async () => {
    for (const summary of ['a', 'b', 'c', 'd', 'e']) await file({ summary });
    services.fault('cut');
    expect(await file({ summary: 'f' })).toMatchObject({ key: 'SHOP-6' });
    expect(services.issues).toHaveLength(6);
  });

  it.each([
    ['seconds', () => '1'],
    ['a date', () => new Date(Date.now() + 2500).toUTCString()],
  ])('is asked again when it said, in %s', async (_name, after) => {
    services.fault({ status: 429, headers: { 'retry-after': after() } });
    const started = performance.now();
    expect(await file()).toMatchObject({ key: 'SHOP-1' });
    expect(performance.now() - started).toBeGreaterThan(950);
    expect(services.asked).toHaveLength(2);
  });

  it('refuses: the failure tells the status, and no key', async () => {
    const failure = await failureOf(file({ api_token: 'wrong-token-0001' }));
    expect(failure.facts.code).toBe('SVC82090');
    expect(failure.message).toBe(
      'The issue tracker refuses to file an issue: status 401, {"errorMessages":["Login is wrong"]}',
    );
    services.fault({ status: 409 });
    expect((await failureOf(file())).message).toContain('status 409');
    expect(services.issues).toEqual([]);
  });

  it('is given up after some tries, and told of where the outcome stays unknown', async () => {
    services.fault(...Array.from({ length: 4 }, () => ({ status: 429, ...NOW })));
    expect((await failureOf(file())).facts.code).toBe('SVC82091');
    services.fault({ status: 429, headers: { 'retry-after': '3600' } });
    expect((await failureOf(file())).facts.code).toBe('SVC82091');
    services.fault('cut');
    services.readFault({ status: 403 });
    expect((await failureOf(file())).facts.code).toBe('SVC82092');
    expect(services.issues).toHaveLength(1);
  });

  const failTwice = async (): Promise<void> => {
    await unit.call('WR_set_record_enable', {});
    await unit.call('AT_set_variable', { name: 'a', value: TRACKER_TOKEN });
    await unit.step('AT_extract_and_store', { response: { t: TRACKER_TOKEN }, path: 'x', name: 'a' });
    await unit.step('AT_extract_and_store', { response: {}, path: 'y', name: 'a' });
    await unit.call('WR_set_record_enable', { set_enable: false });
  };

  it('gets one issue per failed step, and none again in the next run', async () => {
    // The key is known as a secret from here on.
    await file({ summary: 'before' });
    await failTwice();
    const made = await unit.call('WR_tracker_create_failure_issues', { ...login(), build_url: 'http://ci/7' });
    expect(made).toMatchObject([
      { title: expect.stringMatching(/failure: AT_extract_and_store$/) as string, outcome: 'created', key: 'SHOP-2' },
      { outcome: 'created', key: 'SHOP-3' },
    ]);
    expect(JSON.stringify(services.issues)).not.toContain(TRACKER_TOKEN);
    expect(JSON.stringify(services.issues)).toContain('build: http://ci/7');
    expect(await unit.call('WR_tracker_create_failure_issues', login())).toMatchObject([
      { outcome: 'existing', key: 'SHOP-2' },
      { outcome: 'existing', key: 'SHOP-3' },
    ]);
    expect(services.issues).toHaveLength(3);
  });

  it('gets no more issues than are wanted at once, and finds those that are open', async () => {
    await failTwice();
    const filed = async (max_issues: number): Promise<unknown> =>
      unit.call('WR_tracker_create_failure_issues', { ...login(), max_issues });
    expect(await filed(1)).toMatchObject([{ outcome: 'created' }, { outcome: 'left_out' }]);
    expect(services.issues).toHaveLength(1);
    expect(await filed(1)).toMatchObject([{ outcome: 'existing' }, { outcome: 'created' }]);
    expect(await filed(0)).toMatchObject([{ outcome: 'existing' }, { outcome: 'existing' }]);
  });

  it('gets issues of steps with long parameters and errors, cut to what it takes', async () => {
    await using long = await session({ settings: { gates: { private: true } } });
    await long.call('WR_set_record_enable', {});
    const response = { t: 'x'.repeat(60_000) };
    await long.step('AT_extract_and_store', { response, path: 'y'.repeat(50_000), name: 'a' });
    expect(await long.call('WR_tracker_create_failure_issues', login())).toMatchObject([{ outcome: 'created' }]);
  });

  it('gets titles of 255 characters at most, which still tell steps of long paths apart', () => {
    const titles = [1, 2].map((step) =>
      titleOf({ id: `${'é/'.repeat(200)}a.yaml#${step}`, function_name: 'AT_set_variable' }),
    );
    expect(titles.map((title) => title.length)).toEqual([255, 255]);
    expect(titles[0]).toMatch(/^svc …[é/]+a\.yaml#1 failure: AT_set_variable$/);
    expect(titles[1]).toMatch(/a\.yaml#2 failure: AT_set_variable$/);
  });

  it('names each failed step that has no issue, and files the others', async () => {
    await failTwice();
    services.fault({ status: 400 });
    const failure = await failureOf(unit.call('WR_tracker_create_failure_issues', login()));
    expect(failure.facts.code).toBe('SVC82093');
    expect(failure.message).toMatch(
      /^1 of 2 failed steps have no issue in the tracker: "svc .+ failure: AT_extract_and_store"$/,
    );
    expect(failure.options.result).toMatchObject([{ outcome: 'failed' }, { outcome: 'created' }]);
    expect((failure.options.cause as Error).message).toContain('status 400');
    const refused = await failureOf(
      unit.call('WR_tracker_create_failure_issues', { ...login(), api_token: 'other-token-1' }),
    );
    expect(refused.message).toMatch(/^2 of 2/);
    expect(services.asked.filter((each) => each.endsWith('/issue'))).toHaveLength(2);
  });
});

describe('the case manager', () => {
  const run = (): Record<string, unknown> => ({
    base_url: services.url,
    username: 'ada',
    api_key: CASES_KEY,
    run_id: 7,
  });
  const results = [
    { case_id: 1, status_id: 1, comment: 'fine' },
    { case_id: 2, status_id: 5 },
  ];
  const send = (): Promise<unknown> => unit.call('WR_caseman_send_results', { ...run(), results });

  it.each([
    ['at once', []],
    ['429, then taken', [{ status: 429, ...NOW }]],
    ['409, then taken', [{ status: 409, ...NOW }]],
    ['500 without a trace, then taken', [{ status: 500, ...NOW }]],
    ['500 after they were added', [{ status: 500, after: true, ...NOW }]],
    ['an answer that was cut', ['cut' as const]],
  ])('has the results once: %s', async (_name, faults) => {
    services.fault(...faults);
    expect(await send()).toMatchObject([{ status_id: 1, comment: 'fine' }, { status_id: 5 }]);
    expect(services.results).toHaveLength(2);
  });

  it('closes a run once, and is not asked again where the answer is lost', async () => {
    services.fault('cut');
    expect(await unit.call('WR_caseman_close_run', run())).toMatchObject({ is_completed: true });
    expect(services.asked.filter((each) => each.includes('close_run'))).toHaveLength(1);
    expect((await failureOf(unit.call('WR_caseman_close_run', run()))).message).toContain('closed already');
  });

  it('is looked through on all pages for results whose answer was lost', async () => {
    const older = Array.from({ length: 250 }, (_, index) => ({ case_id: 10 + index, status_id: 1 }));
    await unit.call('WR_caseman_send_results', { ...run(), results: older });
    services.fault('cut');
    expect(await send()).toMatchObject([{ status_id: 1, comment: 'fine' }, { status_id: 5 }]);
    expect(services.results).toHaveLength(252);
    expect(services.asked.filter((each) => each.includes('offset=250'))).not.toEqual([]);
  });

  it('gets results although others were sent just now with the same outcome for other cases', async () => {
    await unit.call('WR_caseman_send_results', { ...run(), results: [{ case_id: 1, status_id: 1 }] });
    services.fault({ status: 503, ...NOW });
    await unit.call('WR_caseman_send_results', { ...run(), results: [{ case_id: 2, status_id: 1 }] });
    expect(services.results).toMatchObject([{ test_id: 501 }, { test_id: 502 }]);
  });

  it('refuses: the failure tells the status, and no key', async () => {
    const wrong = { ...run(), api_key: 'wrong-key-0001', results };
    const failure = await failureOf(unit.call('WR_caseman_send_results', wrong));
    expect(failure.facts.code).toBe('SVC82090');
    expect(failure.message).toContain('status 401');
    expect(failure.message).not.toContain('wrong-key-0001');
    expect(services.results).toEqual([]);
  });

  it('names an entry without a case', async () => {
    const pairs = [
      { case_id: 1, passed: true },
      { case_id: null, passed: true },
    ];
    const { message } = await failureOf(unit.call('WR_caseman_results_from_pairs', { pairs }));
    expect(message).toBe('Entry 1 names no case: its case_id is null.');
  });

  it('refuses a case whose number would be rounded to that of another', async () => {
    const pairs = [{ case_id: 'C9007199254740993', passed: true }];
    const { message } = await failureOf(unit.call('WR_caseman_results_from_pairs', { pairs }));
    expect(message).toBe('Entry 0 names no case: its case_id is "C9007199254740993".');
  });
});

it('nothing is sent in a dry run', async () => {
  const root = await mkdtemp(join(tmpdir(), 'svc-dry-'));
  try {
    const tracker = { base_url: services.url, email: 'ada@example.org', api_token: TRACKER_TOKEN, project_key: 'SHOP' };
    const caseman = { base_url: services.url, username: 'ada', api_key: CASES_KEY, run_id: 7 };
    const summary = { total: 1, passed: 1, failed: 0, failures: [] };
    const actions = [
      ['WR_tracker_create_issue', { ...tracker, summary: 'The cart is empty' }],
      ['WR_tracker_create_failure_issues', tracker],
      ['WR_caseman_send_results', { ...caseman, results: [{ case_id: 1, status_id: 1 }] }],
      ['WR_caseman_close_run', caseman],
      ['WR_notify_webhook', { url: `${services.url}/hook`, payload: {} }],
      ['WR_notify_chat', { webhook_url: `${services.url}/hook`, summary }],
    ];
    await writeFile(join(root, 'a.json'), JSON.stringify({ actions }));
    const said = await svc(root, ['run', 'a.json', '--dry-run', '--allow', 'private']);
    expect([said.exit, said.stderr]).toEqual([0, '']);
    expect(said.stdout).toContain('6');
    expect(services.asked).toEqual([]);
  } finally {
    await rm(root, { recursive: true });
  }
});
