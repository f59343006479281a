import type { Json } from '#schemas/types/json.ts';

import type { Action } from './actions-of.ts';

/** Text of an action file: JSON, or YAML where its name says so. */
export async function fileText(path: string, actions: readonly Action[]): Promise<string> {
  if (!/\.ya?ml$/i.test(path)) return JSON.stringify(actions, null, 4);
  const { printYaml } = await import('#grammar/document/print.ts');
  return printYaml(actions.map(([command, params]): Json => (params ? { [command]: params } : command)));
}
