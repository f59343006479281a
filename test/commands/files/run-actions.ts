import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { compile } from '#compiler/api.ts';
import { programOfPlan } from '#compiler/engine/program.ts';
import { nodeHost } from '#runtime/hosts/node.ts';
import { localGates } from '#runtime/kernel/guard.ts';
import { run } from '#runtime/kernel/run.ts';
import type { RunRecord } from '#schemas/types/record.ts';

export interface Ran {
  /** `CODE message` of each error; with errors nothing runs. */
  readonly errors: readonly string[];
  readonly records: readonly RunRecord[];
}

/** Compiles actions as an action file in a folder and runs them. */
export async function runActions(root: string, actions: readonly unknown[]): Promise<Ran> {
  const host = nodeHost();
  const path = join(root, 'actions.json');
  await writeFile(path, JSON.stringify({ actions, meta: { on_failure: 'continue' } }));
  const compilation = await compile([{ path }], { root, for: 'run' }, host);
  const errors = compilation.diagnostics
    .filter(({ severity }) => severity === 'error')
    .map(({ code, message }) => `${code} ${message}`);
  if (errors.length > 0) return { errors, records: [] };
  const { plan, hash } = compilation.seal();
  const records: RunRecord[] = [];
  const program = programOfPlan({ plan, hash }, compilation.places(), { gates: localGates });
  await run(
    program,
    { root, records: { add: (record) => void records.push(record), flush: () => undefined, close: () => undefined } },
    host,
  );
  return { errors, records };
}
