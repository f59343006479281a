import { isBodyKey } from '#compiler/phases/1-read/vocabulary.ts';
import { isList, isObject, type Json } from '#schemas/types/json.ts';

/** The actions of a list, or of an object that holds one under `auto_control` or `actions`, as they are written. */
export function actionItems(actions: Json): readonly Json[] {
  if (isList(actions)) return actions;
  if (!isObject(actions)) return [];
  const key = Object.keys(actions).find(isBodyKey);
  const held = key === undefined ? undefined : actions[key];
  return isList(held) ? held : isObject(held) ? actionItems(held) : [];
}
