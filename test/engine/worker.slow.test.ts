import { mkdtempSync, readFileSync, realpathSync, rmSync, existsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { compileSources } from '#compiler/engine/compile-project.ts';
import { openProject } from '#compiler/engine/project.ts';
import { narrowed, type SelectedPart } from '#compiler/engine/run/part.ts';
import { selectParts, sourcePart } from '#compiler/engine/run/parts.ts';
import { readSelection } from '#compiler/engine/run/read-selection.ts';
import { isolatedUnits } from '#compiler/engine/worker/isolated-units.ts';
import {
  forkedWorkers,
  socketWorkers,
  type StartWorker,
  type Worker,
  type WorkerProgram,
} from '#compiler/engine/worker/worker.ts';
import { nodeHost } from '#runtime/hosts/node.ts';
import type { RunEvent, RunOutcome } from '#runtime/kernel/events.ts';
import { start, type Run } from '#runtime/kernel/run.ts';

let folder = '';
beforeEach(() => void (folder = realpathSync(mkdtempSync(join(tmpdir(), 'svc-worker-')))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const host = (): ReturnType<typeof nodeHost> => nodeHost({ cwd: folder, env: { PATH: process.env['PATH'] } });

/** The ways to a worker; the suite below holds each to the same. */
const ways = {
  'a forked process': (program?: WorkerProgram): StartWorker => forkedWorkers(program),
  'a local socket': (program?: WorkerProgram): StartWorker => socketWorkers(host(), folder, program),
};

interface Beginning {
  readonly word?: string;
  readonly longest?: number;
  readonly resumedAt?: Readonly<Record<string, string>>;
}

interface Begun {
  readonly outcome: Promise<RunOutcome>;
  readonly events: readonly RunEvent[];
  readonly workers: readonly Worker[];
  stop(reason: string): void;
}

const one = (source: string, status: string, reason: string): object => ({ files: [{ file: source, status, reason }] });
const early = (how: string): string => `The process of this file ended before its work was done: ${how}.`;

describe.each(Object.entries(ways))('a unit that runs over %s', (_, way) => {
  /** `with`: misbehaves as its word says, in place of a worker of ours. */
  async function begin(
    sources: Readonly<Record<string, string>>,
    { word, longest, resumedAt }: Beginning = {},
    onEvent: (event: RunEvent, begun: Pick<Begun, 'stop' | 'workers'>) => void = () => undefined,
  ): Promise<Begun> {
    const part = await partOf(sources);
    const options = { root: folder, settings: { gates: {} }, ...(resumedAt && { resumedAt }) };
    const workers: Worker[] = [];
    const startWorker = way(word === undefined ? undefined : strange(word));
    const runUnit = isolatedUnits(part, options, host(), {
      ...(longest !== undefined && { longest }),
      startWorker: async (place) => {
        const worker = await startWorker(place);
        workers.push(worker);
        return worker;
      },
    });
    const events: RunEvent[] = [];
    const own: { run?: Run } = {};
    const stop = (reason: string): void => own.run?.stop(reason);
    const event = (told: RunEvent): void => {
      events.push(told);
      onEvent(told, { workers, stop });
    };
    own.run = start(narrowed(part), { ...options, reporters: [{ event }] }, host(), runUnit);
    return { outcome: own.run.outcome, events, workers, stop };
  }

  const outcomeOf = async (...given: Parameters<typeof begin>): Promise<RunOutcome> => (await begin(...given)).outcome;

  test('tells what happens, and hands values on as they were', { timeout: 30_000 }, async () => {
    const odd = '{"$svc:bytes": "AAAA", "list": [1, null, "ä"]}';
    const { outcome, events } = await begin({
      'a.yaml': `actions:\n- AT_set_variable: { name: odd, value: { "$svc:date": ${odd} } }\n- [AT_set_variable, { name: long, value: "${'x'.repeat(70_000)}" }]\n`,
      'b.yaml': `meta: { depends_on: [a.yaml] }\nactions:\n- AT_get_variable: { name: odd }\n- AT_get_variable: { name: long }\n  expect: len(result) == 70000\n`,
    });
    expect(await outcome).toMatchObject({ status: 'passed', counts: { passed: 4 } });
    const results = events.flatMap((event) => (event.kind === 'step-finished' ? [event.record.result] : []));
    expect(results[2]).toEqual({ '$svc:date': JSON.parse(odd) as unknown });
  });

  test('begins at the step that a request names', { timeout: 30_000 }, async () => {
    const { outcome, events } = await begin(
      { 'a.yaml': 'actions: [[AT_set_variable, { name: a, value: 1 }], AT_clear_variables]\n' },
      { resumedAt: { 'a.yaml': 'a.yaml#1' } },
    );
    expect(await outcome).toMatchObject({ status: 'passed', counts: { passed: 1, skipped: 1 } });
    expect(
      events.flatMap((event) => (event.kind === 'step-finished' ? [[event.record.id, event.record.reason]] : [])),
    ).toEqual([
      ['a.yaml#0', 'the run was resumed at "a.yaml#1"'],
      ['a.yaml#1', undefined],
    ]);
  });

  test(
    'has failed where its worker is killed, and what it did not come to is skipped',
    { timeout: 30_000 },
    async () => {
      const { outcome, events } = await begin(
        {
          'a.yaml': `actions:\n- AT_get_variable: { name: none, default: 1 }\n  expect: result == 2\n  retry: { max_s: 60, interval_s: 0.05 }\n- AT_clear_variables\n`,
          'b.yaml': 'actions: [AT_clear_variables]\n',
        },
        {},
        (event, { workers }) => event.kind === 'attempt-failed' && workers[0]?.kill(),
      );
      expect((await outcome).files.map(({ file, status, reason }) => [file, status, reason])).toEqual([
        ['a.yaml', 'failed', early('SIGKILL')],
        ['b.yaml', 'passed', undefined],
      ]);
      expect(
        events.flatMap((event) =>
          event.kind === 'step-finished' ? [`${event.record.id} ${event.record.status}`] : [],
        ),
      ).toEqual(['a.yaml#0 skipped', 'a.yaml#1 skipped', 'b.yaml#0 passed']);
    },
  );

  test('tears down when its run is stopped', { timeout: 30_000 }, async () => {
    const { outcome } = await begin(
      {
        'a.yaml': `actions:\n- AT_get_variable: { name: none, default: 1 }\n  expect: result == 2\n  retry: { max_s: 60, interval_s: 0.05 }\nteardown:\n- [FA_create_file, { file_path: torn-down, content: x }]\n`,
      },
      {},
      (event, { stop }) => event.kind === 'attempt-failed' && stop('enough'),
    );
    expect(await outcome).toMatchObject({ status: 'failed', stopped: 'enough', counts: { passed: 1, failed: 1 } });
    expect(readFileSync(join(folder, 'torn-down'), 'utf8')).toBe('x');
  });

  const idle = { 'a.yaml': 'actions: [AT_clear_variables]\n' };
  test.each([
    ['half', 'the last message is cut off'],
    ['no-json', 'a message is no JSON'],
    ['no-kind', 'a message is of no kind that is known'],
    ['no-form', 'a message "ended" is not as it should be'],
    ['too-long', 'a message is longer than 65536 characters'],
    ['too-long-line', 'a message is longer than 65536 characters'],
  ])('has failed where its worker sends %s', { timeout: 30_000 }, async (word, how) => {
    const outcome = await outcomeOf(idle, { word, longest: 65_536 });
    expect(outcome).toMatchObject(one('a.yaml', 'failed', early(how)));
    expect(outcome.counts.skipped).toBe(1);
  });

  test('has failed where its work is longer than a message', { timeout: 30_000 }, async () => {
    const long = { 'a.yaml': `actions: [[AT_set_variable, { name: a, value: "${'x'.repeat(70_000)}" }]]\n` };
    const { files } = await outcomeOf(long, { longest: 65_536 });
    expect(files[0]?.reason).toMatch(
      /its work could not be sent: it takes \d+ characters, and a message may take 65536\.$/,
    );
  });

  test(
    'is told of whole by a worker that is faster than its run, with what was left out',
    { timeout: 30_000 },
    async () => {
      let isBlocked = false;
      const { outcome, events } = await begin(idle, { word: 'flood' }, (event) => {
        if (event.kind !== 'unit-started' || isBlocked) return;
        isBlocked = true;
        // A run that does not read: the worker sees that nothing is taken.
        const end = Date.now() + 1500;
        while (Date.now() < end && !existsSync(join(folder, 'flooded')))
          Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
      });
      expect(await outcome).toMatchObject({ status: 'passed', files: [{ counts: { passed: 1 } }] });
      const [{ waiting = 0, sent = 0 } = {}] = [JSON.parse(readFileSync(join(folder, 'flooded'), 'utf8'))];
      expect(waiting).toBeLessThan(4 * 1024 * 1024);
      const notices = events.flatMap((event) => (event.kind === 'notice' ? [event.text] : []));
      const told = notices.filter((text) => text.startsWith('x')).length;
      const [, leftOut = '0'] = /^(\d+) events of a\.yaml were too large/.exec(notices.at(-1) ?? '') ?? [];
      expect(Number(leftOut)).toBeGreaterThan(0);
      expect(told + Number(leftOut)).toBe(sent);
    },
  );
});

describe('a local socket', () => {
  test('takes nobody but the worker with the token', { timeout: 30_000 }, async () => {
    const { listen, connect } = await import('#compiler/engine/worker/socket-transport.ts');
    const listening = await listen(host(), folder);
    const stranger = await connect(listening.address, '0'.repeat(32));
    await stranger.ended;
    const own = await connect(listening.address, listening.token);
    const accepted = await listening.accepted;
    const piece = new Promise<string>((resolve) => own.onPiece(resolve));
    await accepted.send('hello');
    expect(await piece).toBe('hello');
    own.close();
    await accepted.ended;
  });
});

async function partOf(sources: Readonly<Record<string, string>>): Promise<SelectedPart> {
  const project = await openProject(folder, host());
  for (const [name, content] of Object.entries(sources)) writeFileSync(join(folder, name), content);
  const given = Object.keys(sources).map((name) => ({ path: join(folder, name) }));
  const compilation = await compileSources('run', given, project);
  expect(compilation.diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  const [part] = selectParts(
    [sourcePart(compilation, project, { gates: {} })],
    await readSelection({}, project),
    host(),
  );
  if (!part) throw new Error('nothing is selected');
  return part;
}

function strange(word: string): WorkerProgram {
  return {
    flags: ['--conditions=source', '--disable-warning=ExperimentalWarning'],
    script: join(import.meta.dirname, 'strange-worker.ts'),
    args: [word],
  };
}
