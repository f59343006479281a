import { catalogue } from '#compiler/catalogue.ts';
import type { Implementation, MakeFailure, Program } from '#runtime/kernel/program.ts';
import type { Settings } from '#runtime/kernel/ports.ts';
import { ports } from '#schemas/generated/ports.ts';
import { registry } from '#schemas/generated/registry.ts';
import type { Places, Plan } from '#schemas/types/plan.ts';

/** A program over the installed implementations: what the plan names is loaded when it is first called. */
export function programOfPlan(plan: Plan, hash: string, places: Places, settings: Settings): Program {
  const names = Object.keys(plan.commands);
  const loader = (name: string) => async (): Promise<Implementation> => {
    const load = registry[name]?.load;
    if (!load) throw new Error(`${name} has no implementation, but the plan was let through`);
    return load();
  };
  const validate = (name: string) => async () => {
    await catalogue.prepare([name]);
    return catalogue.validator(name) ?? (() => []);
  };
  return {
    plan,
    hash,
    places,
    settings,
    commands: Object.fromEntries(names.map((name) => [name, loader(name)])),
    ports: Object.fromEntries(Object.entries(ports).map(([name, { load }]) => [name, load])),
    validators: Object.fromEntries(names.map((name) => [name, validate(name)])),
    verdicts: Object.fromEntries(Object.values(plan.commands).flatMap(({ verdict }) => (verdict ? [[verdict.message, () => failureMaker(verdict.message)]] : []))),
    parts: {
      graph: async () => (await import('#runtime/kernel/graph.ts')).runGraph,
      inputs: async () => (await import('#runtime/kernel/values/check-schema.ts')).checkSchema,
      rows: async () => (await import('#runtime/adapters/dataset/read-rows.ts')).readRows,
    },
  };
}

/** The constructor of the failure that a declaration names by its slug. */
async function failureMaker(slug: string): Promise<MakeFailure> {
  const failures: Readonly<Record<string, unknown>> = await import('#schemas/generated/failures.ts');
  const make = failures[slug.replace(/-([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())];
  if (typeof make !== 'function') throw new Error(`there is no failure "${slug}", but the declarations were let through`);
  return make as MakeFailure;
}
