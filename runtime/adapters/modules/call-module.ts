import type { Base, Ports } from '#runtime/kernel/ports.ts';
import type { Implementation } from '#runtime/kernel/linked.ts';
import type { ModuleCall } from '#schemas/types/module-call.ts';

/** Context that a function of a module gets after its keywords. */
export type ModuleContext = Pick<Base, 'signal' | 'step' | 'folders' | 'attach' | 'mask'>;

/**
 * Behind every command of a module. The function gets what stands in the call: the values by position, then the
 * keywords as one object, and only behind that a context, which a function that takes values alone does not expect.
 */
export const callModule: Implementation = async (params, ctx) => {
  const { module, export: name } = params as unknown as ModuleCall;
  const { modules } = ctx as Base & Pick<Ports, 'modules'>;
  const call = await modules.find(module, name);
  return callFunction((...given) => modules.within(ctx.step, () => call(...given)), params, ctx);
};

/** Calls a function with what such a step holds. */
export async function callFunction(
  call: (...given: unknown[]) => unknown,
  params: Readonly<Record<string, unknown>>,
  ctx: Base,
): Promise<unknown> {
  const { positional = [], keywords } = params as unknown as ModuleCall;
  const values = positional.map(copy);
  try {
    return await (keywords === undefined ? call(...values) : call(...values, copy(keywords), contextOf(ctx)));
  } catch (error) {
    // A step without a failure has passed: `Promise.reject()` would.
    if (error === undefined) throw new Error('it failed and does not say why');
    throw error;
  }
}

function contextOf(ctx: Base): ModuleContext {
  const { signal, step, folders } = ctx;
  return { signal, step, folders, attach: (evidence) => ctx.attach(evidence), mask: (secret) => ctx.mask(secret) };
}

/** The function may write into what it gets; the plan and the variables stay as they are. */
function copy(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copy);
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, copy(part)]));
}
