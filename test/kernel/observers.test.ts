import { describe, expect, test } from 'vitest';

import type { Block, PortContext, Provider } from '#runtime/kernel/ports.ts';
import type { StepObserver } from '#runtime/kernel/step-observer.ts';
import type { Node } from '#schemas/types/plan.ts';

import { node, runCase, type Case, type Ran, type TestCommands } from './harness.ts';

/** A port whose opening lets the observer of the test see the steps of the unit; END lets it go. */
function watching(observer: StepObserver): Pick<Case, 'commands' | 'program'> {
  let end: (() => void) | undefined;
  const provider = {
    open: (context: PortContext) => {
      end = context.observe(observer);
      return {};
    },
  } as unknown as Provider<'requestLog'>;
  const commands: TestCommands = {
    WATCH: { needs: ['requestLog'], does: () => null },
    END: () => end?.(),
    HOLD: ({ then }) => (then as Block | undefined)?.run(),
    LOGIN: { secret: ['password'], does: () => null },
  };
  return { commands, program: { ports: { requestLog: () => provider } } };
}

async function observed(
  body: readonly Node[],
  more: Case = {},
): Promise<{ readonly seen: string[]; readonly ran: Ran }> {
  const seen: string[] = [];
  const own = ({ id }: { id: string }): string => id.slice(id.indexOf('#') + 1);
  const base = watching({
    started: (step) => void seen.push(`> ${own(step)}`),
    ended: (step, record, args) => void seen.push(`< ${own(step)} ${record.status} ${JSON.stringify(args() ?? null)}`),
  });
  const ran = await runCase({ ...base, ...more, commands: { ...base.commands, ...more.commands }, body });
  return { seen, ran };
}

describe('an observer', () => {
  test('sees the end of the step that let it in, and then every step with what it was called with', async () => {
    const { seen } = await observed([
      node('0', 'GET', { value: 1 }),
      node('1', 'WATCH'),
      node('2', 'GET', { value: 2 }),
      node('3', 'FAIL', { text: 'no' }),
    ]);
    expect(seen).toEqual(['< 1 passed {}', '> 2', '< 2 passed {"value":2}', '> 3', '< 3 failed {"text":"no"}']);
  });

  test('sees nested steps between start and end of their holder; their list is no argument', async () => {
    const { seen } = await observed([
      node('0', 'WATCH'),
      node('1', 'HOLD', { then: { block: [node('1.then.0', 'GET', { value: 'in' })] } }),
    ]);
    expect(seen.slice(1)).toEqual(['> 1', '> 1.then.0', '< 1.then.0 passed {"value":"in"}', '< 1 passed {}']);
  });

  test('hears of skipped steps, without arguments, and of one step once however often it is tried', async () => {
    const retry = { max_attempts: 3, interval_s: 1 };
    const { seen } = await observed(
      [node('0', 'WATCH'), node('1', 'FAIL', { text: 'x' }, { retry }), node('2', 'GET', { value: 1 })],
      { unit: { order: { kind: 'list', on_failure: 'stop' } } },
    );
    expect(seen.slice(1)).toEqual(['> 1', '< 1 failed {"text":"x"}', '< 2 skipped null']);
  });

  test('sees no secret', async () => {
    const { seen } = await observed([node('0', 'WATCH'), node('1', 'LOGIN', { user: 'ada', password: 'abc' })]);
    expect(seen.at(-1)).toBe('< 1 passed {"user":"ada","password":"***"}');
  });

  test('that has gone sees nothing more', async () => {
    const { seen } = await observed([node('0', 'WATCH'), node('1', 'END'), node('2', 'GET', { value: 1 })]);
    expect(seen).toEqual(['< 0 passed {}', '> 1']);
  });

  test('that throws changes nothing and is told of once', async () => {
    const { outcome, events } = await runCase({
      ...watching({
        ended: () => {
          throw new Error('full');
        },
      }),
      body: [node('0', 'WATCH'), node('1', 'GET', { value: 1 }), node('2', 'GET', { value: 2 })],
    });
    expect(outcome.counts).toMatchObject({ passed: 3, failed: 0 });
    expect(events.filter(({ kind }) => kind === 'notice')).toMatchObject([
      { level: 'warning', text: '"requestLog" could not follow the steps of this file: full' },
    ]);
  });
});
