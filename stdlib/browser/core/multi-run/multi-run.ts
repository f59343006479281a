import type { Block, Ports } from '#runtime/kernel/ports.ts';
import * as fail from '#schemas/generated/failures.ts';
import { command, type Context } from '#stdlib/command.ts';

import { compareSides, stepsThatDisagree } from './compare.ts';

export const WR_diff_ab_records = command('WR_diff_ab_records', ({ records_a, records_b }) =>
  compareSides(records_a, records_b),
);

export const WR_run_ab = command('WR_run_ab', async (params, ctx) => {
  const { action_data, setup_a, setup_b, runner, fresh_state } = params;
  const run = await runnerOf(action_data, runner, ctx);
  const goBack = await wayBack(action_data, fresh_state);
  const records_a = await recorded(setup_a, () => run({ isLast: false }), ctx);
  await goBack('Side B');
  const records_b = await recorded(setup_b, () => run({ isLast: true }), ctx);
  return { records_a, records_b, diff: compareSides(records_a, records_b) };
});

export const WR_run_for_users = command('WR_run_for_users', async (params, ctx) => {
  const { action_data, user_setups, runner, fresh_state } = params;
  const names = user_setups.map(([name]) => name);
  const twice = names.find((name, index) => names.indexOf(name) < index);
  if (twice !== undefined) throw fail.userTwice({ user: twice });
  const run = await runnerOf(action_data, runner, ctx);
  const goBack = await wayBack(action_data, fresh_state && names.length > 1);
  const users: [name: string, steps: Recorded[]][] = [];
  for (const [index, [name, setup]] of user_setups.entries()) {
    if (index > 0) await goBack(`User "${name}"`);
    users.push([name, await recorded(setup, () => run({ isLast: index === user_setups.length - 1 }), ctx)]);
  }
  // A name is data: an object would take `__proto__` for something else.
  return { by_user: Object.fromEntries(users), diff: stepsThatDisagree(users) };
});

type RunContext = Context<'WR_run_ab'>;

/** A user, or a side of a comparison: its runs never see variables that others wrote. */
type Side = NonNullable<NonNullable<Parameters<Block['run']>[0]>['variablesOf']>;

/** Runs the list once for a side; a function of the user's gets what it would run. */
async function runnerOf(
  actions: Block,
  reference: string | null,
  ctx: RunContext,
): Promise<(side: Side) => Promise<unknown>> {
  if (reference === null) return (side) => actions.run({ variablesOf: side });
  const runner = await ctx.modules.reference(reference);
  return async (side) => await runner(async () => await actions.run({ variablesOf: side }));
}

/** Brings sessions back to what they show now, whenever another side begins; does nothing where none is asked for. */
async function wayBack(actions: Block, fresh: boolean): Promise<(who: string) => Promise<void>> {
  const goBack = fresh ? await actions.keepState() : undefined;
  return async (who) => {
    const reason = await goBack?.();
    if (reason !== undefined) throw fail.stateNotBroughtBack({ who, reason });
  };
}

async function recorded(setup: string | null, run: () => Promise<unknown>, ctx: RunContext): Promise<Recorded[]> {
  if (setup !== null) await (await ctx.modules.reference(setup))();
  return (await ctx.stepRecord.during(run)).map(withoutPlace);
}

type Recorded = Pick<
  ReturnType<Ports['stepRecord']['all']>[number],
  'function_name' | 'local_param' | 'time' | 'program_exception'
>;

/** The fields of a record that those given to `WR_diff_ab_records` have too. */
function withoutPlace({ function_name, local_param, time, program_exception }: Recorded): Recorded {
  return { function_name, local_param, time, program_exception };
}
