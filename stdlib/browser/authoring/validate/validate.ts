import { resolve } from 'node:path';

import type { Ports } from '#runtime/kernel/ports.ts';
import * as fail from '#schemas/generated/failures.ts';
import type { Json } from '#schemas/types/json.ts';
import { command } from '#stdlib/command.ts';

/** Problems that a failure tells; the others stand in its result. */
const MOST_TOLD = 10;

export const WR_validate_action_file = command('WR_validate_action_file', async ({ json_file_path }, ctx) =>
  sound(await ctx.compiler.check({ path: resolve(ctx.folders.cwd, json_file_path) }, ctx.signal)),
);

export const WR_validate_action_json = command('WR_validate_action_json', async ({ data }, ctx) =>
  sound(await ctx.compiler.check({ data: data as Json }, ctx.signal)),
);

function sound(problems: Awaited<ReturnType<Ports['compiler']['check']>>): true {
  if (problems.length === 0) return true;
  const told = problems.slice(0, MOST_TOLD).join('; ');
  throw fail.actionsUnsound({ count: problems.length, problems: told, result: [...problems] });
}
