import type { Route } from '#schemas/types/place.ts';

interface Branch {
  isMember: boolean;
  next: Map<string | number, Branch> | undefined;
}

/**
 * Routes, and whether one of them leads to a value or to something above it. A question costs as much as its route is
 * long.
 */
export class RouteSet {
  readonly #root: Branch = { isMember: false, next: undefined };

  constructor(routes: Iterable<Route> = []) {
    for (const route of routes) this.add(route);
  }

  add(route: Route): void {
    let branch = this.#root;
    for (const step of route) {
      branch.next ??= new Map();
      let below = branch.next.get(step);
      if (below === undefined) branch.next.set(step, (below = { isMember: false, next: undefined }));
      branch = below;
    }
    branch.isMember = true;
  }

  /** Whether the set has the route or one that it begins with. */
  covers(route: Route): boolean {
    let branch: Branch | undefined = this.#root;
    for (const step of route) {
      if (branch.isMember) return true;
      branch = branch.next?.get(step);
      if (branch === undefined) return false;
    }
    return branch.isMember;
  }
}
