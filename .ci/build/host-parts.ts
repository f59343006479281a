import type { AroundName } from '../../compiler/phases/7-emit/library.ts';
import type { LeftOut } from '../../schemas/types/left-out.ts';

/** A source with the sources that it imports, all from the root of the project. */
export interface Source {
  readonly text: string;
  readonly imports: readonly string[];
}

/** Part that a source may ask for: one of the host, or a small one that programs may do without. */
export type Asked = AroundName | LeftOut;

/** By what a source asks for it. */
const MEMBERS: Readonly<Partial<Record<Asked, readonly string[]>>> = {
  bulk: ['copyMany', 'tellApart', 'sameContent', 'files.digest'],
  trees: ['moveInto', 'removeTree', 'survey', 'temporaryDirectory'],
  processes: ['processes'],
  withoutDigests: ['digest', 'digests'],
  withoutExcerpts: ['excerpt'],
  withoutForms: ['files.stream'],
  withoutHooks: ['hookSteps'],
  withoutJobs: ['keep'],
  withoutLines: ['say'],
  withoutObservers: ['observe'],
  withoutReading: ['files.read', 'files.readRegular', 'files.open', 'files.list'],
  withoutRows: ['datasetRow:', 'variablesOf:'],
  withoutWriteObservers: ['onWrite:'],
};

/**
 * Parts of the host that modules ask for, with all that they import; those that ask for none are left out. Read from
 * texts, so that a member that is named where it is not called only makes a program larger.
 */
export function hostPartsAskedFor(
  modules: readonly string[],
  read: (file: string) => Source,
): ReadonlyMap<string, readonly Asked[]> {
  const known = new Map<string, { readonly own: readonly Asked[]; readonly imports: readonly string[] }>();
  const look = (file: string): { readonly own: readonly Asked[]; readonly imports: readonly string[] } => {
    const found = known.get(file) ?? ownOf(read(file));
    known.set(file, found);
    return found;
  };
  const asked = (module: string): readonly Asked[] => {
    const seen = new Set([module]);
    const names = new Set<Asked>();
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
  readonly own: readonly Asked[];
  readonly imports: readonly string[];
} {
  return { own: askedForIn(text), imports };
}

/** Parts that a text asks for. */
export function askedForIn(source: string): readonly Asked[] {
  const text = source.replace(/^\s*(?:\/\/|\*|\/\*).*$/gm, '');
  const byMember = (Object.keys(MEMBERS) as Asked[]).filter((name) =>
    MEMBERS[name]?.some((member) => isAsked(text, member)),
  );
  // A command or a provider that behaves otherwise without a part says so itself.
  const byMark = Array.from(text.matchAll(/\bimport\.meta\.(without\w+)/g), ([, mark]) => mark as LeftOut);
  return [...new Set([...byMember, ...byMark])];
}

/** `x.member`, or `{ member }` where it is taken out of something; with a colon, a property that is given. */
function isAsked(text: string, member: string): boolean {
  if (member.endsWith(':')) return text.includes(member);
  const [last = '', owner] = member.split('.').toReversed();
  const called = owner === undefined ? `\\.${last}\\b` : `\\b${owner}\\d*\\.${last}\\b`;
  const taken = `\\{[^{}]*\\b${last}\\b[^{}]*\\}\\s*[=:),}]`;
  return new RegExp(`${called}|${taken}`).test(text);
}
