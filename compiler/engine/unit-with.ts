import type { Unit } from '#schemas/types/plan.ts';

/** A unit without steps, variables and needs of its own, with what is given of them. */
export function unitWith(part: Partial<Unit> = {}): Unit {
  return {
    source: 'unit',
    tags: [],
    inputs: [],
    secrets: [],
    modules: [],
    setup: [],
    body: [],
    teardown: [],
    order: { kind: 'list', on_failure: 'continue' },
    after: [],
    needs: { commands: [], effects: [], ports: [], gates: [], env: [], files: [], hosts: [], packages: [] },
    ...part,
  };
}
