import type { BlockStep } from '#runtime/kernel/ports.ts';
import * as fail from '#schemas/generated/failures.ts';
import type { Json } from '#schemas/types/json.ts';
import { commandRaising } from '#stdlib/command.ts';

import { orderActions } from './order.ts';
import { actionsOf, readAction } from './read-action.ts';

const command = commandRaising('APITesterExecuteException');

export const AT_run_actions_parallel = command('AT_run_actions_parallel', async ({ actions, max_workers: workers }) => {
  const { steps } = await actions.run({ order: { kind: 'parallel', workers } });
  return Object.fromEntries(steps.map((step, index) => [String(index), outcome(step)]));
});

export const AT_filter_actions_by_tag = command('AT_filter_actions_by_tag', (params) => {
  const wanted = new Set(params.wanted_tags);
  const all = actionsOf(params.actions as Json);
  if (wanted.size === 0) return [...all];
  const isKept = (action: Json): boolean => {
    const { tags } = readAction(action);
    return tags.length === 0 ? params.include_untagged : tags.some((tag) => wanted.has(tag));
  };
  const kept = all.filter(isKept);
  const dropped = new Set(all.filter((action) => !isKept(action)).map((action) => readAction(action).id));
  for (const [index, action] of kept.entries()) {
    const { id, depends_on: ids } = readAction(action);
    const missing = ids.find((other) => dropped.has(other));
    if (missing !== undefined) throw fail.filterDependency({ action: id ?? `#${all.indexOf(action, index)}`, missing });
  }
  return kept;
});

export const AT_order_actions = command('AT_order_actions', ({ actions }) => orderActions(actionsOf(actions as Json)));

/** The result of a step; of one that failed the error text, of one that was skipped the reason. */
function outcome({ result, error, reason }: BlockStep): Json {
  if (error) return error.message;
  return reason ?? result ?? null;
}
