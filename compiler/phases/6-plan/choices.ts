import { portFacts } from '#schemas/generated/port-facts.ts';
import { foldValue } from '#schemas/types/fold-value.ts';
import type { Parameter } from '#schemas/types/command.ts';
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

/**
 * Ports that the value of a parameter chooses among those that its port chooses from. A text that a reference goes on
 * from is known by its beginning.
 */
export function choiceOf({ chooses, else_local }: Choosing, value: Value | undefined): Choice {
  const choose = portFacts[chooses ?? '']?.choose ?? {};
  const known = value === undefined ? undefined : schemesOf(value, choose);
  const schemes = known ?? (else_local ? [''] : undefined);
  const ports = (schemes ?? Object.keys(choose)).flatMap((scheme) =>
    Object.hasOwn(choose, scheme) ? (choose[scheme] ?? []) : [],
  );
  return { ports: [...new Set(ports)].toSorted(), isKnown: schemes !== undefined };
}

/** Whether a value is a path of this machine, as an absent one is; `unknown`: only the run knows. */
export function staysHere({ chooses }: Choosing, value: Value | undefined): boolean | 'unknown' {
  if (value === undefined) return true;
  const schemes = schemesOf(value, portFacts[chooses ?? '']?.choose ?? {});
  return schemes === undefined ? 'unknown' : schemes.every((scheme) => scheme === '');
}

type Choosing = Pick<Parameter, 'chooses' | 'else_local'>;

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
