import type { JSONPathEnvironment, JSONPathNode, JSONPathQuery, JSONValue } from 'json-p3';

/** Longest time (ms) of one search: it holds everything else up. */
const LONGEST_MS = 5_000;
/** Values that one part of an expression may match: `$..*..*` matches a value once for each way to it. */
const MOST_MATCHES = 1_000_000;

/** An expression that is read, but matches too much, or for too long. */
export class TooCostly extends Error {}

/** Cost that one search may still cause. */
export interface Budget {
  /**
   * Throws `TooCostly` when the time is over. The clock is looked at now and then, or each time before what may be
   * slow.
   */
  spend(isSlow?: boolean): void;
}

/** Makes an environment count what it visits; yields the budget, which begins anew with `begin`. */
export function budgetOf(environment: JSONPathEnvironment): Budget & { begin(): void } {
  let end = Infinity;
  let asked = 0;
  const budget = {
    begin: (): void => void (end = performance.now() + LONGEST_MS),
    spend: (isSlow = false): void => {
      asked += 1;
      if ((isSlow || asked % 256 === 0) && performance.now() > end)
        throw new TooCostly(`the search takes more than ${LONGEST_MS / 1000} s`);
    },
  };
  // The library asks for it once for each value that it visits.
  Object.defineProperty(environment, 'maxRecursionDepth', {
    get: () => {
      budget.spend();
      return 1_000_000;
    },
  });
  return budget;
}

/** All matches of an expression, those of each of its parts counted, also of the queries in its filters. */
export function matchesOf(query: JSONPathQuery, value: JSONValue, budget: Budget): readonly JSONPathNode[] {
  bound(query, budget, new Set());
  return [...query.lazyQuery(value)];
}

interface Segment {
  lazyResolve(nodes: Iterable<JSONPathNode>): Generator<JSONPathNode>;
  resolve(nodes: JSONPathNode[]): JSONPathNode[];
}

function bound(part: unknown, budget: Budget, seen: Set<unknown>): void {
  if (typeof part !== 'object' || part === null || seen.has(part)) return;
  seen.add(part);
  if (isSegment(part)) count(part, budget);
  for (const [name, inner] of Object.entries(part)) if (name !== 'environment') bound(inner, budget, seen);
}

function isSegment(part: object): part is Segment {
  return 'lazyResolve' in part && 'selectors' in part;
}

function count(segment: Segment, budget: Budget): void {
  const resolve = segment.lazyResolve.bind(segment);
  segment.lazyResolve = function* counted(nodes) {
    let matches = 0;
    for (const node of resolve(nodes)) {
      budget.spend();
      matches += 1;
      if (matches > MOST_MATCHES) throw new TooCostly(`a part of it matches more than ${MOST_MATCHES} values`);
      yield node;
    }
  };
  // The library's own spreads its matches over the stack.
  segment.resolve = (nodes) => [...segment.lazyResolve(nodes)];
}
