import * as d from '#schemas/generated/diagnostics.ts';
import type { TreeOperation } from '#schemas/types/fix.ts';
import { isObject, type JsonObject } from '#schemas/types/json.ts';

import { isBodyKey } from '../../1-read/vocabulary.ts';
import type { MigrationStep } from '../migration-step.ts';

const NEW_KEYS: Readonly<Record<string, string>> = { api_testka: 'svc', auto_control: 'actions' };

/** Body keys of the public projects become those of the language. */
const step: MigrationStep = {
  body({ value, route, nested, at }, change) {
    const keys = Object.keys(value).filter(isBodyKey);
    const [old] = keys;
    const key = old === undefined ? undefined : NEW_KEYS[old];
    if (old === undefined || key === undefined || keys.length > 1) return;
    const operations: TreeOperation[] = [{ kind: 'rename-key', route: [...route, old], key }];
    // Under `auto_control` a failed action never stopped the rest; under `actions` it would.
    if (old === 'auto_control' && !nested) operations.push(...goesOn(value));
    change({
      subject: old,
      operations,
      tell: (_, fix) => d.oldBodyKey({ at: at([...route, old], 'key'), old, key, fixes: fix(`rename it to "${key}"`) }),
    });
  },
};
export default step;

function goesOn(value: JsonObject): readonly TreeOperation[] {
  const meta = value['meta'];
  if (meta === undefined) return [{ kind: 'insert', route: [], key: 'meta', value: { on_failure: 'continue' } }];
  if (meta === null) return [{ kind: 'replace', route: ['meta'], value: { on_failure: 'continue' } }];
  if (!isObject(meta) || meta['on_failure'] !== undefined) return [];
  return [{ kind: 'insert', route: ['meta'], key: 'on_failure', value: 'continue' }];
}
