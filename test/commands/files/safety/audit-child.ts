import { appendFileSync } from 'node:fs';

import { provider as sqlite } from '#runtime/adapters/sqlite/provider.ts';
import { nodeHost } from '#runtime/hosts/node.ts';
import type { Program } from '#runtime/kernel/program.ts';
import { run } from '#runtime/kernel/run.ts';
import { provider as audit } from '#runtime/services/audit/service.ts';
import type { Node } from '#schemas/types/plan.ts';
import { FA_audit_open } from '#stdlib/files/safety/audit/audit.ts';

/**
 * A run of its own process: opens the audit log, then makes so many steps. Step n tells in the file of ends that step n
 * - 1 has ended, so whoever reads the file knows which rows must be there.
 */
const [database = '', ends = '', count = '0', actor = 'child'] = process.argv.slice(2);
const tick: Node[] = Array.from({ length: Number(count) }, (_, index) => ({
  id: `child.yaml#${index}`,
  command: 'TICK',
  args: { n: { lit: index } },
}));
const open: Node = {
  id: 'child.yaml#open',
  command: 'FA_audit_open',
  args: { db_path: { lit: database }, actor: { lit: actor } },
};
const facts = { effects: [], needs: [], repeat: 'idempotent' } as const;
const program: Program = {
  plan: {
    version: 1,
    commands: { FA_audit_open: { ...facts, needs: ['audit'] }, TICK: facts },
    units: [
      {
        source: 'child.yaml',
        tags: [],
        inputs: [],
        secrets: [],
        modules: [],
        setup: [],
        body: [open, ...tick],
        teardown: [],
        order: { kind: 'list', on_failure: 'stop' },
        after: [],
        needs: { commands: [], effects: [], ports: [], gates: [], env: [], files: [], hosts: [], packages: [] },
      },
    ],
  },
  hash: 'h',
  places: {},
  validators: {},
  settings: { gates: {} },
  commands: {
    FA_audit_open: () => FA_audit_open as never,
    TICK:
      () =>
      ({ n }) =>
        appendFileSync(ends, `${Number(n) - 1}\n`),
  },
  ports: { audit: () => audit, sqlite: () => sqlite },
};
const { status } = await run(program, { root: process.cwd() }, nodeHost());
process.exitCode = status === 'passed' ? 0 : 1;
