import { describe, expect, test } from 'vitest';

import { remoteGates } from '#runtime/kernel/guard.ts';
import type { PortContext, PortName, Provider } from '#runtime/kernel/ports.ts';
import type { Program } from '#runtime/kernel/program.ts';

import { node, runCase, variable, type TestCommands } from './harness.ts';

const get = (id: string, name: string): ReturnType<typeof node> =>
  node(id, 'GET', { value: { ref: { ...variable(name), default: 'unset' } } });

describe('files of a run', () => {
  test('only final variables cross an edge; where two give one name, the later edge wins', async () => {
    const { of } = await runCase({
      units: [
        {
          source: 'a.yaml',
          body: [
            node('a.yaml#0', 'SET', { name: 'x', value: 'a' }),
            node('a.yaml#1', 'SET', { name: 'only', value: 'a' }),
          ],
        },
        { source: 'b.yaml', body: [node('b.yaml#0', 'SET', { name: 'x', value: 'b' })] },
        {
          source: 'c.yaml',
          after: ['b.yaml', 'a.yaml'],
          body: [get('c.yaml#0', 'x'), get('c.yaml#1', 'only'), node('c.yaml#2', 'SET', { name: 'x', value: 'c' })],
        },
        { source: 'd.yaml', after: ['a.yaml'], body: [get('d.yaml#0', 'x')] },
        { source: 'e.yaml', body: [get('e.yaml#0', 'x')] },
      ],
    });
    expect(['c.yaml#0', 'c.yaml#1', 'd.yaml#0', 'e.yaml#0'].map((id) => of(id).result)).toEqual([
      'a',
      'a',
      'a',
      'unset',
    ]);
  });

  test('a file whose dependency failed is skipped, with the reason, and what depends on it too', async () => {
    const { lines, outcome } = await runCase({
      units: [
        { source: 'a.yaml', body: [node('a.yaml#0', 'FAIL')] },
        { source: 'b.yaml', after: ['a.yaml'], body: [get('b.yaml#0', 'x')], teardown: [get('b.yaml#t', 'x')] },
        { source: 'c.yaml', after: ['b.yaml'], body: [get('c.yaml#0', 'x')] },
        { source: 'd.yaml', body: [get('d.yaml#0', 'x')] },
      ],
    });
    expect(lines).toEqual([
      'a.yaml#0 failed',
      'b.yaml#0 skipped: a.yaml failed, on which it depends',
      'b.yaml#t skipped: a.yaml failed, on which it depends',
      'c.yaml#0 skipped: b.yaml was skipped, on which it depends',
      'd.yaml#0 passed',
    ]);
    expect(outcome.files.map(({ file, status }) => `${file} ${status}`)).toEqual([
      'a.yaml failed',
      'b.yaml skipped',
      'c.yaml skipped',
      'd.yaml passed',
    ]);
  });

  test('--workers runs files at the same time', async () => {
    const units = ['a', 'b', 'c'].map((name) => ({
      source: `${name}.yaml`,
      body: [node(`${name}.yaml#0`, 'SLEEP', { ms: 1000 })],
    }));
    expect((await runCase({ units })).host.clock.monotonic()).toBe(3000);
    expect((await runCase({ units, options: { workers: 2 } })).host.clock.monotonic()).toBe(2000);
  });

  test('--repeat runs each unit again, with occurrences and a state of its own', async () => {
    const { lines, records } = await runCase({
      options: { repeat: 2 },
      body: [get('0', 'x'), node('1', 'SET', { name: 'x', value: 1 })],
    });
    expect(lines).toEqual(['a.yaml#0 passed', 'a.yaml#1 passed', 'a.yaml#0 again 1 passed', 'a.yaml#1 again 1 passed']);
    expect(records[2]?.result).toBe('unset');
  });

  test('chosen steps run, others have no record', async () => {
    const { lines } = await runCase({
      options: { chosen: (_, { id }) => id.endsWith('1') },
      unit: { setup: [get('s', 'x')], body: [get('0', 'x'), get('1', 'x')] },
    });
    expect(lines).toEqual(['a.yaml#s passed', 'a.yaml#1 passed']);
  });
});

describe('inputs', () => {
  const unit = {
    inputs: [
      { name: 'port', schema: { type: 'integer', minimum: 1 }, secret: false },
      { name: 'host', schema: { type: 'string' }, default: 'localhost', secret: false },
    ],
    body: [get('0', 'port'), get('1', 'host')],
  };
  test('text is read where the schema takes only numbers; defaults stand in', async () => {
    const { records } = await runCase({ unit, options: { variables: { port: { text: '8080' } } } });
    expect(records.map(({ result }) => result)).toEqual([8080, 'localhost']);
  });
  test('text stays text where the schema takes text', async () => {
    const { records } = await runCase({
      unit,
      options: { variables: { port: { text: '1' }, host: { text: '8080' } } },
    });
    expect(records[1]?.result).toBe('8080');
  });
  test('a missing or unfit one is refused before anything runs', async () => {
    const missing = await runCase({ unit });
    expect(missing.outcome).toMatchObject({
      status: 'failed',
      refused: [{ code: 'SVC80027', message: 'The input "port" of a.yaml has no value.' }],
    });
    expect(missing.records).toEqual([]);
    const unfit = await runCase({ unit, options: { variables: { port: { text: 'eighty' } } } });
    expect(unfit.outcome.refused?.[0]).toMatchObject({
      code: 'SVC80028',
      message: 'The input "port" of a.yaml does not fit: the value must be integer.',
    });
    const small = await runCase({ unit, options: { variables: { port: { json: 0 } } } });
    expect(small.outcome.refused?.[0]?.message).toContain('the value is outside minimum 1');
  });
  test.each([
    ['a list', 'a', { type: 'array' }, true],
    ['an object, or null', 'a', { type: ['object', 'null'] }, true],
    ['null, which is written', 'null', { type: ['integer', 'null'] }, true],
    ['what one of several schemas takes', '[1]', { anyOf: [{ type: 'array' }, { type: 'object' }] }, true],
    ['a number, which text can give', 'a', { type: ['integer', 'null'] }, false],
    ['another text', 'a', { type: 'string', minLength: 2 }, false],
  ])('text for %s is answered with how JSON is given, where that mends it', async (_, text, schema, isHinted) => {
    const inputs = [{ name: 'given', schema, secret: false }];
    const { outcome } = await runCase({ unit: { ...unit, inputs }, options: { variables: { given: { text } } } });
    expect(outcome.refused).toMatchObject([{ code: 'SVC80028' }]);
    expect(outcome.refused?.[0]?.help).toBe(isHinted ? 'give it as JSON: `--var given:=VALUE`' : undefined);
  });
  test('a file before may define them', async () => {
    const { of, outcome } = await runCase({
      units: [
        { source: 'b.yaml', body: [node('b.yaml#0', 'SET', { name: 'port', value: 7 })] },
        { ...unit, source: 'a.yaml', after: ['b.yaml'] },
      ],
    });
    expect(outcome.refused).toBeUndefined();
    expect(of('a.yaml#0').result).toBe(7);
  });
});

describe('ports', () => {
  /** A provider that writes down what happens to it. */
  function traced(
    log: string[],
    name: string,
    open: (context: PortContext) => unknown = () => ({}),
  ): () => Provider<PortName> {
    return () => ({
      open: (context) => {
        log.push(`open ${name}`);
        context.release(() => void log.push(`close ${name}`));
        return open(context) as never;
      },
    });
  }
  const uses = (port: string): TestCommands[string] => ({ needs: [port], does: () => null });

  test('are opened once a unit, at their first use, and let go in reverse order on every path', async () => {
    const log: string[] = [];
    const program = {
      ports: { one: traced(log, 'one'), two: traced(log, 'two'), never: traced(log, 'never') },
    } as Partial<Program>;
    await runCase({
      program,
      commands: { ONE: uses('one'), TWO: uses('two'), NEVER: uses('never') },
      body: [node('0', 'ONE'), node('1', 'FAIL'), node('2', 'TWO'), node('3', 'ONE')],
    });
    expect(log).toEqual(['open one', 'open two', 'close two', 'close one']);
  });

  test('one that cannot be opened fails the step and is tried again by the next', async () => {
    let tries = 0;
    const program = {
      ports: {
        one: () => ({
          open: () => {
            if (++tries === 1) throw new Error('no display');
            return {};
          },
        }),
      },
    } as unknown as Partial<Program>;
    const { of } = await runCase({
      program,
      commands: { ONE: uses('one') },
      body: [node('0', 'ONE'), node('1', 'ONE')],
    });
    expect(of('a.yaml#0').error).toMatchObject({
      code: 'SVC80033',
      class: 'environment',
      message: 'The port one, which ONE needs, could not be opened: no display',
    });
    expect(of('a.yaml#1').status).toBe('passed');
  });

  test('one that fails or hangs while closing does not hold up the others', async () => {
    const log: string[] = [];
    const bad =
      (close: () => void | Promise<void>) =>
      (context: PortContext): unknown => {
        context.release(close);
        return {};
      };
    const program = {
      ports: {
        one: traced(log, 'one'),
        two: traced(
          log,
          'two',
          bad(() => {
            throw new Error('stuck');
          }),
        ),
        three: traced(
          log,
          'three',
          bad(() => new Promise(() => undefined)),
        ),
      },
    } as Partial<Program>;
    const { events, host } = await runCase({
      program,
      commands: { ONE: uses('one'), TWO: uses('two'), THREE: uses('three') },
      body: [node('0', 'ONE'), node('1', 'TWO'), node('2', 'THREE')],
    });
    expect(log).toEqual(['open one', 'open two', 'open three', 'close three', 'close two', 'close one']);
    expect(events.flatMap((event) => (event.kind === 'notice' ? [event.text] : []))).toEqual([
      '"three" could not be closed: "three" did not let go within 10 s.',
      '"two" could not be closed: stuck',
    ]);
    expect(host.clock.monotonic()).toBe(10_000);
  });

  test('of another unit are its own', async () => {
    const log: string[] = [];
    const program = { ports: { one: traced(log, 'one') } } as Partial<Program>;
    await runCase({
      program,
      commands: { ONE: uses('one') },
      units: [
        { source: 'a.yaml', body: [node('a.yaml#0', 'ONE')] },
        { source: 'b.yaml', body: [node('b.yaml#0', 'ONE')] },
      ],
    });
    expect(log).toEqual(['open one', 'close one', 'open one', 'close one']);
  });

  test('may show evidence of a step that failed for good', async () => {
    const program = {
      ports: {
        one: () => ({
          open: () => ({ page: 'shop' }),
          evidence: async (port: { page: string }) => [{ kind: 'text', name: 'page', text: port.page }],
        }),
      },
    } as unknown as Partial<Program>;
    const { events } = await runCase({
      program,
      commands: {
        ONE: {
          needs: ['one'],
          does: () => {
            throw new Error('no');
          },
        },
      },
      body: [node('0', 'ONE', {}, { retry: { max_attempts: 2 } })],
    });
    expect(events.flatMap((event) => (event.kind === 'step-finished' ? event.evidence : []))).toEqual([
      { kind: 'text', name: 'page', text: 'shop' },
    ]);
  });
});

describe('a run that stays', () => {
  const jobs = (seconds: number, log: string[]): Partial<Program> =>
    ({
      ports: {
        job: () => ({
          open: (context: PortContext) => {
            let end: () => void = () => undefined;
            const done = new Promise<void>((resolve) => (end = resolve));
            context.keep({
              name: 'watch',
              done,
              stop: () => {
                log.push('stopped');
                end();
              },
            });
            if (seconds > 0) context.host.clock.timer(seconds * 1000, () => end(), { background: true });
            return {};
          },
        }),
      },
    }) as unknown as Partial<Program>;
  const commands: TestCommands = { WATCH: { needs: ['job'], does: () => null } };
  const body = [node('0', 'WATCH')];

  test('until its jobs have ended', async () => {
    const { host, outcome } = await runCase({ commands, program: jobs(100, []), body });
    expect(host.clock.monotonic()).toBe(100_000);
    expect(outcome.status).toBe('passed');
  });
  test('for `run_for_s`, then its jobs are stopped', async () => {
    const log: string[] = [];
    const { host } = await runCase({ commands, program: jobs(0, log), unit: { run_for_s: 30 }, body });
    expect([host.clock.monotonic(), log]).toEqual([30_000, ['stopped']]);
  });
  test('not with `--once`', async () => {
    const log: string[] = [];
    const { host } = await runCase({ commands, program: jobs(0, log), options: { once: true }, body });
    expect([host.clock.monotonic(), log]).toEqual([0, ['stopped']]);
  });
  test('until it is interrupted; the teardown runs before the jobs are stopped', async () => {
    const log: string[] = [];
    const { outcome, lines } = await runCase({
      commands,
      program: jobs(0, log),
      unit: { teardown: [node('t', 'GET', { value: 1 })] },
      body,
      meanwhile: async (run) => {
        await run.host.clock.advance(5000);
        run.stop('SIGINT');
      },
    });
    expect([lines, log, outcome.stopped]).toEqual([['a.yaml#0 passed', 'a.yaml#t passed'], ['stopped'], 'SIGINT']);
  });
});

describe('gates', () => {
  const commands: TestCommands = {
    SCRIPT: { gate: 'script', does: () => 'ran' },
    SHUT: (_, ctx) => ctx.gates.set('script', false, 'SHUT'),
    OPEN: (_, ctx) => ctx.gates.set('script', true, 'OPEN'),
  };
  test('open on the own machine, closed by settings', async () => {
    expect((await runCase({ commands, body: [node('0', 'SCRIPT')] })).of('a.yaml#0').status).toBe('passed');
    const closed = await runCase({
      commands,
      options: { settings: { gates: { script: false } } },
      body: [node('0', 'SCRIPT'), node('1', 'OPEN')],
    });
    expect(closed.records.map(({ error }) => error?.code)).toEqual(['SVC80024', 'SVC80024']);
    const remote = await runCase({
      commands,
      options: { settings: { gates: remoteGates } },
      body: [node('0', 'SCRIPT')],
    });
    expect(remote.of('a.yaml#0').error?.message).toBe('"SCRIPT" needs the gate "script", which is closed.');
  });
  test('an action can close one for its unit, and take that back', async () => {
    const { lines } = await runCase({
      commands,
      units: [
        {
          source: 'a.yaml',
          body: ['SHUT', 'SCRIPT', 'OPEN', 'SCRIPT', 'SHUT'].map((name, index) => node(String(index), name)),
        },
        { source: 'b.yaml', body: [node('b.yaml#0', 'SCRIPT')] },
      ],
    });
    expect(lines).toEqual([
      'a.yaml#0 passed',
      'a.yaml#1 failed',
      'a.yaml#2 passed',
      'a.yaml#3 passed',
      'a.yaml#4 passed',
      'b.yaml#0 passed',
    ]);
  });
});

describe('a dry run', () => {
  test('calls nothing, shows arguments, and shows what only a real run could know as unknown', async () => {
    let called = false;
    const { records, outcome, host } = await runCase({
      options: { dryRun: true },
      commands: {
        CALL: () => {
          called = true;
        },
      },
      host: { env: { HOME: '/home/ada' } },
      body: [
        node(
          '0',
          'CALL',
          { url: { text: ['https://x.example/', { ns: 'env', name: 'HOME' }] } },
          { save_as: [{ name: 'token' }], provides: ['variable:token'] },
        ),
        node(
          '1',
          'CALL',
          { token: { ref: variable('token') }, text: { text: ['Bearer ', variable('token', 'value')] } },
          { uses: ['variable:token'] },
        ),
        node(
          '2',
          'CALL',
          { then: { block: [node('2.then.0', 'CALL', { n: 1 })] } },
          {
            when: {
              source: 'token == "x"',
              tree: {
                kind: 'compare',
                operator: '==',
                left: { kind: 'reference', ref: variable('token') },
                right: { kind: 'literal', value: 'x' },
              },
            },
          },
        ),
        node('3', 'CALL', {}, { when: { source: 'false', tree: { kind: 'literal', value: false } } }),
      ],
    });
    expect(called).toBe(false);
    expect(records.map(({ id, status, result }) => [id, status, result])).toEqual([
      ['a.yaml#0', 'dry-run', { url: 'https://x.example//home/ada' }],
      ['a.yaml#1', 'dry-run', { token: { $unknown: 'from step 0' }, text: 'Bearer <from step 0>' }],
      ['a.yaml#2', 'dry-run', {}],
      ['a.yaml#2.then.0', 'dry-run', { n: 1 }],
      ['a.yaml#3', 'skipped', undefined],
    ]);
    expect(outcome).toMatchObject({ status: 'passed', counts: { dry_run: 4, skipped: 1 } });
    expect(await host.files.list('/work')).toEqual([]);
  });
});
