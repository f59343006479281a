import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { makeService } from '#compiler/engine/service.ts';
import { nodeHost } from '#runtime/hosts/node.ts';
import { codes } from '#schemas/generated/codes.ts';
import type { Failure } from '#schemas/types/failure.ts';
import type { Json } from '#schemas/types/json.ts';
import type { Plan } from '#schemas/types/plan.ts';
import type { RunEvent } from '#schemas/types/run-event.ts';
import type { ActionService, RunRequest } from '#schemas/types/service.ts';

import { misfits } from '../contracts/schema-of.ts';

let folder = '';
let root = '';
beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'svc-service-')));
  root = join(folder, 'shop');
  await mkdir(root);
  await writeFile(join(root, 'svc.config.yaml'), '{}');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const service = (origin: 'local' | 'network' = 'local'): ActionService =>
  makeService(root, nodeHost({ cwd: root, env: { PATH: process.env['PATH'] } }), { origin });
const good = 'actions:\n- AT_get_variable: { name: user, default: bob }\n  expect: result == "ada"\n';
const waits = (): string => `actions:
- AT_get_variable: { name: none, default: 1 }
  expect: result == 2
  retry: { max_s: 60, interval_s: 0.05 }
teardown:
- [FA_create_file, { file_path: ${root}/torn-down.txt, content: x }]
`;
const oneFile = (content: string, more: Partial<RunRequest> = {}): RunRequest => ({
  sources: [{ path: 'a.yaml', content }],
  variables: { user: 'ada' },
  ...more,
});
const slugOf = ({ facts }: Failure): string | undefined => codes.find(([code]) => code === facts.code)?.[1];
const refusal = async (run: RunRequest, origin: 'local' | 'network' = 'local'): Promise<unknown> =>
  service(origin)
    .run(run)
    .outcome.then(
      () => 'it ran',
      (error: Failure) => slugOf(error),
    );

describe('an action service', () => {
  test('checks sources as svc check does, and plans them', async () => {
    const wrong = await service().check([{ path: 'a.yaml', content: 'actions: [WR_clik_element]\n' }]);
    expect(misfits('diagnostic', wrong)).toEqual([]);
    expect(wrong.diagnostics).toMatchObject([{ slug: 'unknown-command', file: 'a.yaml', line: 1 }]);
    await writeFile(join(root, 'a.yaml'), good);
    const plan = await service().plan([{ path: 'a.yaml' }]);
    expect(misfits('plan', plan)).toEqual([]);
    expect(plan.units.map(({ source }) => source)).toEqual(['a.yaml']);
    const refused = service().plan([{ path: 'a.yaml', content: 'actions: [WR_clik_element]\n' }]);
    expect(await refused.then(() => 'planned', slugOf)).toBe('actions-invalid');
  });

  test('lists what is declared', async () => {
    const names = (await service().list()).map(({ name }) => name);
    expect(names).toContain('AT_set_variable');
  });

  test('runs sources, and tells what happens in order until the end', async () => {
    const { id, events, outcome } = service().run(oneFile(good));
    const told: RunEvent[] = [];
    for await (const event of events) told.push(event);
    expect(told.map(({ kind }) => kind)).toEqual([
      'run-started',
      'unit-started',
      'step-started',
      'step-finished',
      'unit-finished',
      'run-finished',
    ]);
    expect(await outcome).toMatchObject({ run: id, status: 'passed', counts: { passed: 1 } });
  });

  test('runs a plan that went through JSON, each time as what it was compiled from', async () => {
    const plan = JSON.parse(JSON.stringify(await service().plan([{ path: 'a.yaml', content: good }]))) as Plan;
    const { status } = await service().run({ plan, variables: { user: 'ada' } }).outcome;
    expect(status).toBe('passed');
  });

  test('runs what was selected, and remembers what failed', async () => {
    const sources = [
      { path: 'a.yaml', content: `meta: { tags: [smoke] }\n${good}` },
      { path: 'b.yaml', content: 'actions:\n- AT_get_variable: { name: b, default: 1 }\n  expect: result == 2\n' },
    ];
    const smoke = await service().run({ sources, variables: { user: 'ada' }, selection: { tags: ['smoke'] } }).outcome;
    expect(smoke.files.map(({ file }) => file)).toEqual(['a.yaml']);
    await service().run({ sources, variables: { user: 'ada' } }).outcome;
    const again = await service().run({ sources, variables: { user: 'ada' }, selection: { last_failed: true } })
      .outcome;
    expect(again.files.map(({ file, status }) => [file, status])).toEqual([['b.yaml', 'failed']]);
    expect(await refusal({ sources, selection: { tags: ['none'] } })).toBe('tag-unknown');
  });

  test('stops a run in order: teardown happens, and the outcome says why', async () => {
    const { events, outcome, stop } = service().run(oneFile(waits()));
    for await (const { kind } of events) if (kind === 'attempt-failed') break;
    stop('enough');
    expect(await outcome).toMatchObject({ status: 'failed', stopped: 'enough', counts: { passed: 1, failed: 1 } });
  });

  test('stops a run that was asked to before it began', async () => {
    const { outcome, stop } = service().run(oneFile(waits()));
    stop('never mind');
    expect(await outcome).toMatchObject({ status: 'failed', stopped: 'never mind' });
  });

  const three = `setup: [[AT_set_variable, { name: early, value: 1 }]]
actions:
- AT_set_variable: { name: token, value: made }
  id: login
- AT_get_variable: { name: user }
  name: look
- AT_get_variable: { name: early }
  expect: ["result == 1", 'token == "given"']
teardown: [[FA_create_file, { file_path: ROOT/torn-down.txt, content: x }]]
`;

  test.each([2, 'look'])(
    'resumes a file at %j: what stands before is skipped, setup and teardown run',
    async (step) => {
      const content = three.replace('ROOT', root);
      const { events, outcome } = service().run(
        oneFile(content, { variables: { user: 'ada', token: 'given' }, resume_from: { step } }),
      );
      const told: (string | undefined)[][] = [];
      for await (const event of events)
        if (event.kind === 'step-finished') told.push([event.record.id, event.record.status, event.record.reason]);
      expect(told).toEqual([
        ['a.yaml#setup.0', 'passed', undefined],
        ['a.yaml#login', 'skipped', 'the run was resumed at "a.yaml#1"'],
        ['a.yaml#1', 'passed', undefined],
        ['a.yaml#2', 'passed', undefined],
        ['a.yaml#teardown.0', 'passed', undefined],
      ]);
      expect(await outcome).toMatchObject({ status: 'passed', counts: { passed: 4, skipped: 1 } });
    },
  );

  test('resumes a plan, and in a process of its own', async () => {
    const plan = await service().plan([{ path: 'a.yaml', content: three.replace('ROOT', root) }]);
    const request = { plan, variables: { user: 'ada', token: 'given' }, resume_from: { step: 'look', file: 'a.yaml' } };
    for (const settings of [{}, { isolate: true }])
      expect((await service().run({ ...request, settings }).outcome).counts).toMatchObject({ passed: 4, skipped: 1 });
  });

  test('resumes nowhere that lacks what was left out, and says what', async () => {
    const reasons = async (content: string, step: string | number, more: Partial<RunRequest> = {}): Promise<string> =>
      service()
        .run(oneFile(content, { resume_from: { step }, ...more }))
        .outcome.then(
          () => 'it ran',
          (error: Failure) => error.message,
        );
    const content = three.replace('ROOT', root);
    expect(await reasons(content, 2)).toBe('The run cannot begin at 2: "2" needs the variable "token" of "login".');
    expect(await reasons(content, 4)).toContain('there are 3 steps');
    expect(await reasons(content, 'nobody')).toContain('no step of the body has that name or id');
    expect(await reasons('nodes: [{ id: a, action: AT_clear_variables }]', 'a')).toContain('the file is a graph');
    const browser = 'actions:\n- WR_pw_launch\n- [WR_pw_to_url, { url: "about:blank" }]\n- AT_clear_variables\n';
    expect(await reasons(browser, 2)).toMatch(/"1" needs the session "[^"]+" of "0"/);
    const result =
      'actions:\n- AT_get_variable: { name: user }\n  id: who\n- AT_get_variable: { name: "{{steps.who.result}}" }\n';
    expect(await reasons(result, 2)).toContain('"1" needs the result of "who"');
    const two = { sources: ['a.yaml', 'b.yaml'].map((path) => ({ path, content: good })) };
    expect(await refusal({ ...two, resume_from: { step: 1 } })).toBe('not-resumable');
    expect(await refusal({ ...two, resume_from: { step: 1, file: 'c.yaml' } })).toBe('not-resumable');
  });

  test('refuses what is no request, has errors or lies outside, before anything runs', async () => {
    const wrong = { sources: [{ path: 'a.yaml' }], resume: 'x' } as RunRequest;
    expect(await refusal(wrong)).toBe('request-unfit');
    expect(await refusal({})).toBe('request-unfit');
    expect(await refusal(oneFile(good, { settings: { environment: '../secret' } }))).toBe('request-unfit');
    expect(await refusal(oneFile('actions: [WR_clik_element]\n'))).toBe('actions-invalid');
    await writeFile(join(folder, 'outside.yaml'), good);
    expect(await refusal({ sources: [{ path: '../outside.yaml' }] })).toBe('input-outside');
    expect(await refusal({ sources: [{ path: '../outside.yaml', content: good }] })).toBe('input-outside');
    expect(await refusal({ sources: [{ path: 'none.yaml' }] })).toBe('input-unreadable');
  });
});

describe('a request that came over a network', () => {
  const told = async (request: RunRequest, origin: 'local' | 'network'): Promise<readonly (string | undefined)[]> => {
    const codes: (string | undefined)[] = [];
    for await (const event of service(origin).run(request).events)
      if (event.kind === 'step-finished') codes.push(event.record.error?.name);
    return codes;
  };

  test('finds every gate closed, also those that the configuration opens', async () => {
    await writeFile(join(root, 'svc.config.yaml'), 'gates: { shell: true, script: true, packages: true }\n');
    await writeFile(join(root, 'own.mjs'), 'export const hi = () => 1;\n');
    const calls = oneFile('actions:\n- AT_add_package_to_executor: { package: ./own.mjs }\n');
    expect(await told(calls, 'local')).toEqual([undefined]);
    expect(await told(calls, 'network')).toEqual(['gate-closed']);
  });

  test('opens none, and may close more', async () => {
    expect(await refusal(oneFile(good, { gates: { shell: true } }), 'network')).toBe('gate-not-to-open');
    const { status } = await service('network').run(oneFile(good, { gates: { shell: false } })).outcome;
    expect(status).toBe('passed');
    const open = makeService(root, nodeHost({ cwd: root, env: {} }), { origin: 'network', gates: { shell: true } });
    expect((await open.run(oneFile(good, { gates: { shell: true } })).outcome).status).toBe('passed');
  });

  test('brings no plan that says less of its commands than they do, or holds what was never checked', async () => {
    const plan = await service().plan([
      { path: 'a.yaml', content: 'actions: [[AT_set_variable, { name: a, value: 1 }]]\n' },
    ]);
    const changed = (change: (copy: { [key: string]: Json }) => void): Plan => {
      const copy = structuredClone(plan) as unknown as { [key: string]: Json };
      change(copy);
      return copy as unknown as Plan;
    };
    const facts = changed((copy) =>
      Object.assign(copy['commands'] as object, { AT_set_variable: { effects: [], needs: [], repeat: 'once' } }),
    );
    const forged = changed((copy) =>
      Object.assign(copy['commands'] as object, {
        own: { effects: [], needs: ['modules'], repeat: 'once', module: true },
      }),
    );
    const args = changed((copy) => {
      const [unit] = copy['units'] as unknown as { body: { args: Record<string, Json> }[] }[];
      Object.assign(unit?.body[0]?.args ?? {}, { name: { lit: 7 } });
    });
    const outcomes: unknown[] = [];
    for (const each of [facts, forged, args]) outcomes.push(await refusal({ plan: each }, 'network'));
    expect(outcomes).toEqual(['plan-not-ours', 'plan-not-ours', 'plan-not-ours']);
    expect((await service('network').run({ plan }).outcome).status).toBe('passed');
  });
});
