import * as d from '#schemas/generated/diagnostics.ts';
import { ALONE, MAKERS, OPENERS } from '#schemas/generated/openers.ts';
import type { Diagnostic, Label } from '#schemas/types/diagnostic.ts';

import { stepRoute } from '../3-parse/routes.ts';

import { commandLabel } from './bind.ts';
import type { ListFacts, Knowledge } from './knowledge.ts';
import { isGuarded } from './references.ts';
import type { Call } from './resolved.ts';
import { kindOf, type FlowFacts, type SessionFacts } from './flow-facts.ts';
import type { Gap } from './variable.ts';

/** Reports a session that a call needs and that is not open, or not on every way. */
export function checkSession(
  call: Call,
  session: string,
  known: FlowFacts,
  ofList: ListFacts,
  knowledge: Knowledge,
): void {
  if (known.isOpen() || knowledge.isIncomplete) return;
  const facts = known.session(session);
  if (facts.state === 'open' || facts.state === 'maybe') return;
  // One whose name only a run knows counts as one without: it may be this one.
  const kind = kindOf(session);
  if (kind !== session && facts.state === 'never' && known.session(kind).state !== 'never') return;
  const gap = facts.state === 'doubtful' ? facts.gap : ofList.round;
  if (gap !== undefined) {
    if (isGuarded(session, gap, ofList)) return;
    knowledge.report(doubt(call, `an open session (${session})`, gap, knowledge));
  } else knowledge.report(withoutSession(call, session, facts, known, knowledge));
  // One finding a session: what follows would say the same.
  known.assumeSession(session);
  if (facts.state !== 'doubtful') known.assumeSession(`${session}-element`);
}

function withoutSession(
  call: Call,
  session: string,
  { state }: SessionFacts,
  known: FlowFacts,
  { document }: Knowledge,
): Diagnostic {
  const at = commandLabel(call.step, document);
  const common = { at, command: call.signature.info.name, session };
  const openers = list(OPENERS[kindOf(session)]);
  if (state === 'closed') return d.sessionClosed({ ...common, openers });
  const other = OTHER_ENGINE[session];
  const isOther = other !== undefined && known.session(other).state !== 'never';
  return isOther ? d.wrongEngine({ ...common, other }) : d.sessionNeverOpened({ ...common, openers });
}

const OTHER_ENGINE: Readonly<Record<string, string>> = { webdriver: 'playwright', playwright: 'webdriver' };

/**
 * Reports a thing beside sessions (a current element, a watch by its name) that a call needs and that nobody has made.
 */
export function checkHandle(call: Call, name: string, known: FlowFacts, ofList: ListFacts, knowledge: Knowledge): void {
  const kind = kindOf(name);
  if (known.isOpen() || knowledge.isIncomplete || (kind !== name && known.session(kind).state !== 'never')) return;
  const facts = known.session(name);
  if (facts.state === 'open' || facts.state === 'maybe') return;
  const what = WORDS[kind] ?? `the ${name}`;
  const gap = facts.state === 'doubtful' ? facts.gap : ofList.round;
  if (gap !== undefined) {
    if (isGuarded(name, gap, ofList)) return;
    knowledge.report(doubt(call, what, gap, knowledge));
  } else
    knowledge.report(
      d.nothingToActOn({
        at: commandLabel(call.step, knowledge.document),
        command: call.signature.info.name,
        what,
        why: facts.state === 'closed' ? 'an earlier step has ended it' : 'no step before makes it',
        makers: list(MAKERS[kind]),
      }),
    );
  known.assumeSession(name);
}

/** Reports a step that ends a server where none runs. */
export function checkEnd(
  call: Call,
  name: string,
  known: FlowFacts,
  { document, report, isIncomplete }: Knowledge,
): void {
  if (!name.endsWith('-server') || known.isOpen() || isIncomplete) return;
  const { state } = known.session(name);
  if (state !== 'never' && state !== 'closed') return;
  const at = commandLabel(call.step, document);
  const why = state === 'closed' ? 'an earlier step has ended it' : 'no step before starts one';
  report(d.nothingToStop({ at, command: call.signature.info.name, why, makers: list(MAKERS[name]) }));
}

/** A session or another thing as messages name it, without an article. */
export function thing(name: string): string {
  if (name.startsWith('mock-')) return `mock server (${name})`;
  return Object.hasOwn(MAKERS, kindOf(name)) || kindOf(name) !== name
    ? name.replace('-server', ' server')
    : `session (${name})`;
}

/** Reports a session, or another thing, of which there can be one, and that is there already. */
export function checkAlone(call: Call, name: string, known: FlowFacts, ofList: ListFacts, knowledge: Knowledge): void {
  if (!ALONE.has(kindOf(name)) || known.isOpen() || knowledge.isIncomplete) return;
  // Of a thing with a name that only a run knows nothing is said.
  if (Object.hasOwn(MAKERS, name)) return;
  const facts = known.session(name);
  if (facts.state !== 'open' && facts.state !== 'doubtful') return;
  const gap = facts.state === 'doubtful' ? facts.gap : ofList.round;
  // One of two steps with conditions may run whenever the other does not.
  if (facts.state === 'doubtful' && call.step.options?.when !== undefined) return;
  if (gap !== undefined && isGuarded(name, gap, ofList)) return;
  const { document, report } = knowledge;
  const common = {
    at: commandLabel(call.step, document),
    command: call.signature.info.name,
    what: (kindOf(name) === name ? 'a ' : 'the ') + thing(name),
  };
  const place = (other: Call, text: string): Label => ({
    source: document.source,
    route: stepRoute(other.step),
    part: 'value',
    text,
  });
  const isSaid = facts.by === call || facts.by === gap?.call;
  const made = facts.by === undefined || isSaid ? [] : [place(facts.by, 'it is made here')];
  if (gap === undefined) report(d.openedTwice({ ...common, related: made }));
  else report(d.maybeOpenedTwice({ ...common, related: [...made, place(gap.call, WAYS[gap.kind])] }));
}

const WORDS: Readonly<Record<string, string>> = {
  'webdriver-element': 'a current element',
  'playwright-element': 'a current element of the second engine, or a "selector"',
};

/** Not every way to the step has made what it needs. */
function doubt(call: Call, what: string, gap: Gap, { document }: Knowledge): Diagnostic {
  const route = gap.kind === 'row' ? ['meta', 'dataset'] : stepRoute(gap.call.step);
  const place = { source: document.source, route, part: 'value' } as const;
  return d.sessionDoubtful({
    at: commandLabel(call.step, document),
    command: call.signature.info.name,
    what,
    related: [{ ...place, text: WAYS[gap.kind] }],
  });
}

const WAYS: Readonly<Record<Gap['kind'], string>> = {
  when: 'this step runs only where its `when` holds',
  branch: 'this decides, by the branch that is taken',
  list: 'this may run none of its steps',
  loop: 'this may run for no item',
  again: 'this may have a further round',
  row: 'a further row begins with the sessions that this one leaves',
  use: 'the file that this uses opens or closes it on some ways only',
};

/** The first few commands, as messages name them. */
function list(commands: readonly string[] = []): string | undefined {
  const names = commands.slice(0, 3).map((name) => `"${name}"`);
  return names.length === 0 ? undefined : names.join(' or ');
}
