import * as d from '#schemas/generated/diagnostics.ts';

import { placeOf, type Owner } from './fields.ts';
import type { Fix } from '#schemas/types/fix.ts';
import type { Route } from '#schemas/types/place.ts';
import { RESERVED } from '#schemas/types/reserved-names.ts';

const IDENTIFIER = /^[A-Za-z_][A-Za-z0-9_]*$/;
const STEP_ID = /^[A-Za-z_][A-Za-z0-9_-]*$/;

/** Reports a name that no variable can have. */
export function isVariableName(owner: Owner, route: Route, name: string, part: 'key' | 'value' = 'value'): boolean {
  const at = { ...placeOf(owner, ...route), part };
  if (RESERVED.includes(name)) owner.report(d.reservedName({ at, name }));
  else if (!isIdentifier(name))
    owner.report(
      d.notAPlainName({ at, name, ...(part === 'value' ? withoutMarks(name, at.route) : plainKey(name, at.route)) }),
    );
  else return true;
  return false;
}

/** `{{user}}` and `$user`: a name has the marks of a reference where it is read, not where it is made. */
function withoutMarks(name: string, route: Route): { readonly nearest?: string; readonly fixes?: readonly Fix[] } {
  const [, dollar, braces] = /^\$\{?(\w+)\}?$|^\{\{\s*(\w+)\s*\}\}$/.exec(name) ?? [];
  const value = dollar ?? braces;
  if (value === undefined || !isIdentifier(value) || RESERVED.includes(value)) return {};
  return {
    nearest: value,
    fixes: [{ title: `write ${value}`, safety: 'safe', operations: [{ kind: 'replace', route, value }] }],
  };
}

/** `user-name` as `user_name`; references to it are for the next look. */
function plainKey(name: string, route: Route): { readonly nearest?: string; readonly fixes?: readonly Fix[] } {
  const key = name
    .replaceAll(/[^A-Za-z0-9_]+/g, '_')
    .replace(/^_+|_+$/g, '')
    .replace(/^(?=\d)/, '_');
  if (!isIdentifier(key) || RESERVED.includes(key)) return {};
  const operations = [{ kind: 'rename-key', route, key }] as const;
  return { nearest: key, fixes: [{ title: `rename it to "${key}"`, safety: 'unsafe', operations }] };
}

export function isIdentifier(name: string): boolean {
  return IDENTIFIER.test(name);
}

export function isStepId(name: string): boolean {
  return STEP_ID.test(name);
}
