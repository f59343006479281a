import * as d from '#schemas/generated/diagnostics.ts';
import type { Label } from '#schemas/types/diagnostic.ts';
import type { Fix } from '#schemas/types/fix.ts';
import { tellsOfSecret } from '#schemas/types/secret-key.ts';

import { itemAt, type ResolvedCall, type Rule } from '../rule.ts';

/** A secret that is captured is masked. */
export default {
  name: 'use-secret-capture',
  preset: 'recommended',
  resolved({ groups, report }) {
    for (const call of groups.having('save_as')) {
      for (const [index, { name, secret }] of (call.node.save_as ?? []).entries()) {
        if (secret || !tellsOfSecret(name) || isPlainKey(name)) continue;
        const at = placeOf(call, index);
        report(d.useSecretCapture({ at, name, fixes: fixesOf(call, index, at) }));
      }
    }
  },
} satisfies Rule;

/** Words for places that a secret key opens; other keys are those of rows, caches and sorting. */
const OF_SECRETS =
  /api|access|account|auth|crypt|private|secret|session|shared|sign|ssh|subscription|licen[cs]e|master/i;

/** `run_key`, `order_key`: of a key that is said to be of something, most are no secrets. */
function isPlainKey(name: string): boolean {
  const rest = name.replace(/_?key$/i, '');
  return rest !== name && rest !== '' && !OF_SECRETS.test(rest) && !tellsOfSecret(rest);
}

function placeOf(call: ResolvedCall, index: number): Label {
  return (call.node.save_as?.length ?? 0) > 1 ? itemAt(call, 'save_as', index) : call.optionAt('save_as');
}

/** Fix that masks the capture, where it alone is written as an object. */
function fixesOf({ node }: ResolvedCall, index: number, at: Label): readonly Fix[] {
  const capture = node.save_as?.[index];
  if (capture === undefined || (capture.path === undefined && capture.match === undefined)) return [];
  return [
    { title: 'mask it', safety: 'safe', operations: [{ kind: 'insert', route: at.route, key: 'secret', value: true }] },
  ];
}
