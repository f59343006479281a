import { isBodyKey } from '#compiler/phases/1-read/vocabulary.ts';
import { orderByDependency } from '#compiler/graph/dag.ts';
import { isList, isObject, type Json, type JsonObject } from '#schemas/types/json.ts';

/**
 * The actions of a list, or of an object that holds one under `auto_control` or `actions`, as they are written and in
 * the order in which they run: those of `setup` first, those of `teardown` last, nodes behind what they depend on.
 */
export function actionItems(actions: Json): readonly Json[] {
  if (isList(actions)) return actions;
  if (!isObject(actions)) return [];
  const key = Object.keys(actions).find(isBodyKey);
  const held = key === undefined ? undefined : actions[key];
  if (!isList(held)) return isObject(held) ? actionItems(held) : [];
  return [...listIn(actions, 'setup'), ...(key === 'nodes' ? inOrder(held) : held), ...listIn(actions, 'teardown')];
}

function listIn(file: JsonObject, key: 'setup' | 'teardown'): readonly Json[] {
  const held = file[key];
  return isList(held) ? held : [];
}

function inOrder(nodes: readonly Json[]): readonly Json[] {
  const byId = new Map(nodes.map((node) => [isObject(node) ? String(node['id']) : '', node]));
  const dependencies = (id: string): readonly string[] => {
    const node = byId.get(id) ?? null;
    const after = isObject(node) ? node['depends_on'] : undefined;
    return isList(after) ? after.map(String) : [];
  };
  const ordered = orderByDependency([...byId.keys()], dependencies);
  return 'cycle' in ordered ? nodes : ordered.order.flatMap((id) => byId.get(id) ?? []);
}
