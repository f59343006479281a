import { catalogue } from '#compiler/catalogue.ts';
import type { Implementation, Program } from '#runtime/kernel/program.ts';
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
  };
}
