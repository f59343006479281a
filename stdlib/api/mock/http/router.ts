import * as fail from '#schemas/generated/failures.ts';

import type { Method, MockRoute } from './port.ts';
import { parseRule } from './rule.ts';
import type { Rule } from './rule.ts';

/** The route that answers a request, or why there is none. */
export type Found =
  | {
      readonly kind: 'route';
      readonly route: MockRoute;
      readonly params: Readonly<Record<string, string>>;
      /** The same encoded, where a segment of the path holds an encoded slash. */
      readonly encodedParams?: Readonly<Record<string, string>>;
    }
  | { readonly kind: 'other-method'; readonly allowed: readonly string[] }
  | { readonly kind: 'none' };

interface Entry {
  readonly rule: Rule;
  readonly route: MockRoute;
}

/** Routes of one mock; the more exact rule wins, then the earlier one. */
export class Router {
  #routes: readonly Entry[] = [];

  /** Adds all of them, or fails and adds none. */
  add(...routes: readonly MockRoute[]): void {
    this.#routes = this.#with(routes).sort((a, b) => compare(a.rule.weight, b.rule.weight));
  }

  /** Fails as `add` would; adds nothing. */
  check(...routes: readonly MockRoute[]): void {
    this.#with(routes);
  }

  #with(routes: readonly MockRoute[]): Entry[] {
    const all = [...this.#routes];
    for (const route of routes) place(route, all);
    return all;
  }

  clear(): void {
    this.#routes = [];
  }

  /** Remembers its routes; what it yields brings them back. */
  save(): () => void {
    const routes = this.#routes;
    return () => void (this.#routes = routes);
  }

  #first(method: string, path: string): Found | undefined {
    for (const { rule, route } of this.#routes) {
      if (!(route.methods as readonly string[]).includes(method)) continue;
      const params = rule.match(path);
      if (params) return { kind: 'route', route, params };
    }
    return undefined;
  }

  /**
   * HEAD is answered by a route for GET where it has none of its own. A slash that came encoded belongs to its segment;
   * where no route takes it so, it is one like others.
   */
  find(method: string, path: string, encodedPath?: string): Found {
    const apart = encodedPath === undefined ? undefined : this.#find(method, keptApart(encodedPath));
    if (apart?.kind !== 'route') return this.#find(method, path);
    return {
      ...apart,
      params: withValues(apart.params, joinedSlashes),
      encodedParams: withValues(apart.params, encodedSlashes),
    };
  }

  #find(method: string, path: string): Found {
    const found = this.#first(method, path) ?? (method === 'HEAD' ? this.#first('GET', path) : undefined);
    if (found) return found;
    const fitting = this.#routes.filter(({ rule }) => rule.match(path));
    if (fitting.length === 0) return { kind: 'none' };
    const methods = new Set<Method>(fitting.flatMap(({ route }) => route.methods));
    if (methods.has('GET')) methods.add('HEAD');
    return { kind: 'other-method', allowed: [...methods.add('OPTIONS')].sort() };
  }
}

/** Half of a pair, which no text that was decoded holds, stands for an encoded slash while routes are looked for. */
const APART = '\uD800';

function keptApart(encodedPath: string): string {
  return encodedPath.split(/%2f/i).map(decodeURIComponent).join(APART);
}

function joinedSlashes(value: string): string {
  return value.replaceAll(APART, '/');
}

function encodedSlashes(value: string): string {
  return value
    .split('/')
    .map((segment) => segment.split(APART).map(encodeURIComponent).join('%2F'))
    .join('/');
}

function withValues(values: Readonly<Record<string, string>>, make: (value: string) => string): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, make(value)]));
}

function compare(left: readonly number[], right: readonly number[]): number {
  const at = left.findIndex((value, index) => value !== right[index]);
  return at < 0 ? 0 : (left[at] ?? 0) - (right[at] ?? 0);
}

/** Adds a route to a list. One that was generated gives way to one of the user's for the same paths and verbs. */
function place(route: MockRoute, all: Entry[]): void {
  const rule = parseRule(route.rule);
  for (let index = all.length - 1; index >= 0; index--) {
    const other = all[index];
    if (!other || other.rule.shape !== rule.shape) continue;
    const shared = route.methods.find((method) => other.route.methods.includes(method));
    if (shared === undefined) continue;
    if (route.isGenerated && !other.route.isGenerated) return;
    if (!other.route.isGenerated || route.isGenerated) throw fail.mockRouteTaken({ method: shared, rule: route.rule });
    all.splice(index, 1);
  }
  all.push({ rule, route });
}
