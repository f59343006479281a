import * as fail from '#schemas/generated/failures.ts';

import type { ModuleFunction } from './port.ts';

/** Exports of a module, by name. */
export type Namespace = Readonly<Record<string, unknown>>;

/** Names that a failure shows. */
const MOST_SHOWN = 20;

/**
 * The function of that name: an export, or a member of the default export, which is all that many CommonJS modules
 * have. A class makes an object. Fails where there is none, with what there is.
 */
export function memberOf(namespace: Namespace, name: string, module: string): ModuleFunction {
  const owner = [namespace, namespace['default']].filter(isOwner).find((each) => Object.hasOwn(each, name));
  if (owner === undefined) throw fail.moduleExportMissing({ module, name, present: present(namespace) });
  const found = owner[name];
  if (typeof found !== 'function')
    throw fail.moduleExportNoFunction({ module, name, type: found === null ? 'null' : typeof found });
  if (isClass(found)) return (...values) => Reflect.construct(found, values) as unknown;
  // Members of an object may ask for it; exports of a module have nothing to ask for.
  return (...values) => Reflect.apply(found, owner === namespace ? undefined : owner, values) as unknown;
}

/** The names of functions that a module exports, or that its default export holds. */
export function functionNames(namespace: Namespace): readonly string[] {
  const own = Object.keys(namespace).filter(
    (name) => typeof namespace[name] === 'function' && name !== 'module.exports',
  );
  const inside = namespace['default'];
  const members =
    typeof inside === 'object' && inside !== null
      ? Object.entries(inside)
          .filter(([, value]) => typeof value === 'function')
          .map(([name]) => name)
      : [];
  return [...new Set([...own, ...members])].sort();
}

function isOwner(value: unknown): value is Namespace {
  return (typeof value === 'object' && value !== null) || typeof value === 'function';
}

function isClass(value: Function): boolean {
  return /^class\b/.test(Function.prototype.toString.call(value));
}

function present(namespace: Namespace): string | undefined {
  const names = functionNames(namespace);
  if (names.length === 0) return undefined;
  return names.slice(0, MOST_SHOWN).join(', ') + (names.length > MOST_SHOWN ? ', …' : '');
}
