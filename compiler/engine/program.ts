import { catalogue } from '#compiler/catalogue.ts';
import type { SealedPlan } from '#compiler/phases/6-plan/seal.ts';
import type { Implementation, Linked } from '#runtime/kernel/linked.ts';
import type { Program } from '#runtime/kernel/program.ts';
import type { Settings } from '#runtime/kernel/ports.ts';
import { ports } from '#schemas/generated/ports.ts';
import { registry } from '#schemas/generated/registry.ts';
import type { Failure, FailureOptions } from '#schemas/types/failure.ts';
import type { Places } from '#schemas/types/plan.ts';

import type { ListRules } from './lists/list-rules.ts';
import { once } from './once.ts';

/**
 * A program over the installed implementations: what the plan names is loaded when it is first called. `lists`: what
 * lists that arrive as data are held to.
 */
export function programOfPlan(
  { plan, hash }: Pick<SealedPlan, 'plan' | 'hash'>,
  places: Places,
  settings: Settings,
  lists?: ListRules,
): Program {
  const { commands, ports: providers, validators, verdicts } = linkedOf(plan.commands, places);
  return {
    commands,
    ports: providers,
    validators,
    verdicts,
    places,
    plan,
    hash,
    settings,
    parts: { ...parts, compile: async () => (await compiler()).makeCompileActions(lists) },
  };
}

const compiler = once(() => import('./compile-actions.ts'));

/** Parts of the kernel, of which each is loaded with the first program that asks for it. */
const parts = {
  values: once(async () => (await import('#runtime/kernel/values/values.ts')).values),
  blocks: once(async () => (await import('#runtime/kernel/blocks.ts')).blocks),
  controls: once(async () => (await import('#runtime/kernel/control/controls.ts')).controls),
  graph: once(async () => (await import('#runtime/kernel/graph.ts')).runGraph),
  rows: once(async () => (await import('#runtime/adapters/dataset/read-rows.ts')).readRows),
  locks: once(async () => (await import('#runtime/services/file-locks/take-locks.ts')).takeLocks),
  inputs: once(async () => (await import('#runtime/kernel/values/check-schema.ts')).checkSchema),
};

/** Providers of all ports; each is loaded with the first unit that opens its port. */
const providers: Linked['ports'] = Object.fromEntries(
  Object.entries(ports).map(([name, { load }]) => [name, once(load)]),
);

/** Loaders for everything that some commands may need. */
export function linkedOf(
  facts: Linked['facts'],
  places: Places,
): Linked & { readonly verdicts: NonNullable<Linked['verdicts']> } {
  const names = Object.keys(facts);
  const verdicts = names.flatMap((name) => facts[name]?.verdict?.message ?? []);
  return {
    facts,
    places,
    commands: Object.fromEntries(
      names.map((name) => [name, facts[name]?.module ? moduleCalls : once(() => implementation(name))]),
    ),
    ports: providers,
    validators: Object.fromEntries(
      names.filter((name) => !facts[name]?.module).map((name) => [name, once(() => validator(name))]),
    ),
    verdicts: Object.fromEntries(verdicts.map((slug) => [slug, once(() => failure(slug))])),
  };
}

function implementation(name: string): Promise<Implementation> {
  const load = registry[name]?.load;
  if (!load) throw new Error(`${name} has no implementation, but the plan was let through`);
  return load();
}

async function moduleCalls(): Promise<Implementation> {
  return (await import('#runtime/adapters/modules/call-module.ts')).callModule;
}

async function validator(name: string): Promise<NonNullable<ReturnType<typeof catalogue.validator>>> {
  await catalogue.prepare([name]);
  const validate = catalogue.validator(name);
  if (!validate) throw new Error(`there is no validator for ${name}`);
  return validate;
}

/** The constructor of a failure by its slug. */
async function failure(slug: string): Promise<(options: FailureOptions) => Failure> {
  const constructors: Readonly<Record<string, unknown>> = await import('#schemas/generated/failures.ts');
  const make = constructors[slug.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())];
  if (typeof make !== 'function') throw new Error(`there is no failure "${slug}"`);
  return make as (options: FailureOptions) => Failure;
}
