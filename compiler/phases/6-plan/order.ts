import type { OnFailure, Order } from '#schemas/types/plan.ts';

import type { ResolvedFile } from '../4-resolve/resolved.ts';

/** Number of nodes of a graph that run at the same time, where nothing says so. */
export const MAX_WORKERS = 4;

/** Order of a body, with its rule after a failed step, which the form of the body decides. */
export function orderOf({ file, body }: ResolvedFile): Order {
  const { meta } = file;
  if (body.list.kind === 'list')
    return meta.on_failure === undefined
      ? { kind: 'list', on_failure: byForm(file.bodyKey) }
      : { kind: 'list', on_failure: meta.on_failure, stated: true };
  const failed = meta.on_failure === 'stop' ? 'stop' : meta.fail_fast === false ? 'run-dependents' : 'skip-dependents';
  return { kind: 'graph', failed, max_workers: meta.max_workers ?? MAX_WORKERS };
}

function byForm(bodyKey: string | undefined): OnFailure {
  return bodyKey === 'actions' ? 'stop' : 'continue';
}
