import { registry } from '#schemas/generated/registry.ts';

/** Whether a step is a command, of a list or called by `call`, and not another function of this library. */
export function isAction(command: string): boolean {
  return Object.hasOwn(registry, command);
}
