import type { AroundName } from '../../compiler/phases/7-emit/library.ts';

/** A source with the sources that it imports, all from the root of the project. */
export interface Source {
  readonly text: string;
  readonly imports: readonly string[];
}

/** By what a source asks for a part of the host: a member of it, or one that is taken out of it. */
const MEMBERS: Readonly<Partial<Record<AroundName, readonly string[]>>> = {
  bulk: ['copyMany', 'tellApart', 'sameContent', 'files.digest'],
  trees: ['moveInto', 'removeTree', 'survey', 'temporaryDirectory'],
  processes: ['processes'],
};

/**
 * Which parts of the host modules ask for, with all that they import; those that ask for none are left out. Read from
 * texts, so that a member that is named where it is not called only makes a program larger.
 */
export function hostPartsAskedFor(
  modules: readonly string[],
  read: (file: string) => Source,
): ReadonlyMap<string, readonly AroundName[]> {
  const known = new Map<string, { readonly own: readonly AroundName[]; readonly imports: readonly string[] }>();
  const look = (file: string): { readonly own: readonly AroundName[]; readonly imports: readonly string[] } => {
    const found = known.get(file) ?? ownOf(read(file));
    known.set(file, found);
    return found;
  };
  const asked = (module: string): readonly AroundName[] => {
    const seen = new Set([module]);
    const names = new Set<AroundName>();
    for (const file of seen) {
      const { own, imports } = look(file);
      own.forEach((name) => names.add(name));
      imports.forEach((imported) => seen.add(imported));
    }
    return [...names].sort();
  };
  return new Map(modules.map((module) => [module, asked(module)] as const).filter(([, names]) => names.length > 0));
}

function ownOf({ text, imports }: Source): {
  readonly own: readonly AroundName[];
  readonly imports: readonly string[];
} {
  return { own: askedForIn(text), imports };
}

/** Which parts of the host a text asks for. */
export function askedForIn(text: string): readonly AroundName[] {
  return (Object.keys(MEMBERS) as AroundName[]).filter((name) =>
    MEMBERS[name]?.some((member) => isAsked(text, member)),
  );
}

/** `x.member`, or `{ member }` where it is taken out of something. */
function isAsked(text: string, member: string): boolean {
  const [last = '', owner] = member.split('.').toReversed();
  const called = owner === undefined ? `\\.${last}\\b` : `\\b${owner}\\.${last}\\b`;
  const taken = `\\{[^{}]*\\b${last}\\b[^{}]*\\}\\s*[=:),}]`;
  return new RegExp(`${called}|${taken}`).test(text);
}
