import * as fail from '#schemas/generated/failures.ts';

import type { Method, MockRoute } from './port.ts';
import { parseRule } from './rule.ts';
import type { Rule } from './rule.ts';

/** What answers a request, or why nothing does. */
export type Found =
  | { readonly kind: 'route'; readonly route: MockRoute; readonly params: Readonly<Record<string, string>> }
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
    for (const route of routes) all.push(parsed(route, all));
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

  /** HEAD is answered by a route for GET where it has none of its own. */
  find(method: string, path: string): Found {
    const fitting = this.#routes.flatMap(({ rule, route }) => {
      const params = rule.match(path);
      return params ? [{ route, params }] : [];
    });
    const wanted = (name: string): (typeof fitting)[number] | undefined =>
      fitting.find(({ route }) => (route.methods as readonly string[]).includes(name));
    const found = wanted(method) ?? (method === 'HEAD' ? wanted('GET') : undefined);
    if (found) return { kind: 'route', ...found };
    if (fitting.length === 0) return { kind: 'none' };
    const methods = new Set<Method>(fitting.flatMap(({ route }) => route.methods));
    if (methods.has('GET')) methods.add('HEAD');
    return { kind: 'other-method', allowed: [...methods.add('OPTIONS')].sort() };
  }
}

function compare(left: readonly number[], right: readonly number[]): number {
  const at = left.findIndex((value, index) => value !== right[index]);
  return at < 0 ? 0 : (left[at] ?? 0) - (right[at] ?? 0);
}

function parsed(route: MockRoute, others: readonly Entry[]): Entry {
  const rule = parseRule(route.rule);
  for (const other of others) {
    const shared =
      other.rule.shape === rule.shape
        ? route.methods.find((method) => other.route.methods.includes(method))
        : undefined;
    if (shared !== undefined) throw fail.mockRouteTaken({ method: shared, rule: route.rule });
  }
  return { rule, route };
}
