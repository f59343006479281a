import type { Catalogue } from '#compiler/catalogue.ts';
import { factsOf } from '#compiler/phases/6-plan/facts.ts';
import { seal, type SealedPlan } from '#compiler/phases/6-plan/seal.ts';
import { moduleFacts } from '#compiler/phases/4-resolve/module-call.ts';
import { checkSchema } from '#runtime/kernel/values/check-schema.ts';
import { deepEqual } from '#runtime/kernel/values/deep-equal.ts';
import { unfit } from '#runtime/kernel/values/unfit.ts';
import * as fail from '#schemas/generated/failures.ts';
import type { CommandFacts } from '#schemas/types/command.ts';
import type { Host } from '#schemas/types/host.ts';
import type { Json, JsonObject } from '#schemas/types/json.ts';
import { foldValue, isBlock } from '#schemas/types/fold-value.ts';
import type { Node, Plan, Value } from '#schemas/types/plan.ts';
import { everyNode } from '#schemas/types/walk-nodes.ts';

import { isMatch } from '../configuration/check-configuration.ts';
import { readSchema } from '../schemas.ts';

/**
 * Seals a plan that came from outside. Fails where it says something else of its commands than their declarations do,
 * or holds arguments that the compiler would have refused: the kernel checks only those with references.
 */
export async function receivedPlan(given: Json, catalogue: Catalogue, host: Host): Promise<SealedPlan> {
  const [misfit] = checkSchema(JSON.parse(await readSchema('plan')) as JsonObject, given, isMatch);
  if (misfit) throw fail.planNotOurs({ reason: `it does not fit at "${misfit.instancePath}"` });
  const plan = given as unknown as Plan;
  await catalogue.prepare(Object.keys(plan.commands));
  for (const [name, facts] of Object.entries(plan.commands)) holdFacts(name, facts, catalogue);
  for (const { setup, body, teardown } of plan.units)
    for (const node of everyNode([...setup, ...body, ...teardown]))
      if (node.kind === undefined) checkNode(node, plan, catalogue);
  const commands = new Map(Object.entries(plan.commands));
  return seal(
    plan.units.map((unit) => ({ unit, commands })),
    (algorithm) => host.digest(algorithm),
  );
}

function holdFacts(name: string, facts: CommandFacts, catalogue: Catalogue): void {
  const info = catalogue.has(name) ? catalogue.get(name) : undefined;
  if (info && !info.implemented) throw fail.planNotOurs({ reason: `"${name}" is not built yet` });
  if (!deepEqual(facts, info ? factsOf(info) : moduleFacts))
    throw fail.planNotOurs({ reason: `what it says of "${name}" is not what is declared` });
}

function checkNode({ id, command, args }: Node, plan: Plan, catalogue: Catalogue): void {
  if (!Object.hasOwn(plan.commands, command)) throw fail.planNotOurs({ reason: `it says nothing of "${command}"` });
  const written = Object.entries(args).map(
    ([name, value]) => [name, isBlock(value) ? [] : writtenValue(value)] as const,
  );
  if (written.some(([, value]) => value === undefined)) return;
  const findings = (catalogue.has(command) ? catalogue.validator(command)?.(Object.fromEntries(written)) : []) ?? [];
  const lists = Object.keys(args).filter((name) => isBlock(args[name]));
  const wrong = findings.filter(({ instancePath }) => !lists.some((name) => instancePath.startsWith(`/${name}`)));
  if (wrong.length > 0) throw fail.planNotOurs({ reason: `the arguments of "${id}" do not fit: ${unfit(wrong)}` });
}

/** A value without references; undefined for others, which are checked when they are filled. */
function writtenValue(value: Value): Json | undefined {
  return foldValue<Json | undefined>(value, {
    lit: (literal) => literal,
    text: () => undefined,
    ref: () => undefined,
    list: (parts) => (parts.includes(undefined) ? undefined : (parts as readonly Json[])),
    map: (entries) =>
      entries.some(([, part]) => part === undefined) ? undefined : (Object.fromEntries(entries) as JsonObject),
    block: () => {
      throw fail.planNotOurs({ reason: 'it holds steps inside a value' });
    },
  });
}
