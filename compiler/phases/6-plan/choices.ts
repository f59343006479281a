import { portFacts } from '#schemas/generated/port-facts.ts';
import { foldValue } from '#schemas/types/fold-value.ts';
import type { Value } from '#schemas/types/plan.ts';
import type { Ref } from '#schemas/types/reference.ts';
import { schemeAmong, schemeOfBeginning } from '#schemas/types/scheme.ts';

/** Ports of which one will do the work of another. */
export interface Choice {
  /** Sorted; empty where nothing has such a scheme: the run will say so. */
  readonly ports: readonly string[];
  /** False: only the run knows which of them. */
  readonly isKnown: boolean;
}

/** What a value chooses among those that a port chooses from. A text that a reference goes on from is known by its beginning. */
export function choiceOf(port: string, value: Value | undefined): Choice {
  const choose = portFacts[port]?.choose ?? {};
  const schemes = value === undefined ? undefined : schemesOf(value, choose);
  const ports = (schemes ?? Object.keys(choose)).flatMap((scheme) =>
    Object.hasOwn(choose, scheme) ? (choose[scheme] ?? []) : [],
  );
  return { ports: [...new Set(ports)].toSorted(), isKnown: schemes !== undefined };
}

/** References that yield an absolute path: what goes on from one is a file of this machine. */
function isFolder({ ns, name }: Ref): boolean {
  return ns === 'cwd' || ns === 'root' || ns === 'here' || (ns === 'run' && name === 'tmp');
}

/** Schemes of all texts that a value can be; undefined: any. */
function schemesOf(value: Value, choose: Readonly<Record<string, unknown>>): readonly string[] | undefined {
  return foldValue<readonly string[] | undefined>(value, {
    lit: (literal) => {
      const texts: readonly unknown[] = Array.isArray(literal) ? literal : [literal];
      return texts.filter((text) => typeof text === 'string').map((text) => schemeAmong(choose, text));
    },
    text: ([beginning]) => {
      if (typeof beginning === 'object' && isFolder(beginning)) return [''];
      const scheme = typeof beginning === 'string' ? schemeOfBeginning(beginning, choose) : undefined;
      return scheme === undefined ? undefined : [scheme];
    },
    list: (parts) => (parts.includes(undefined) ? undefined : parts.flatMap((each) => each ?? [])),
    ref: (ref) => (isFolder(ref) ? [''] : undefined),
    map: () => undefined,
    block: () => undefined,
  });
}
