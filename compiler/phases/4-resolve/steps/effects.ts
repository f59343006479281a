import * as d from '#schemas/generated/diagnostics.ts';
import type { Label } from '#schemas/types/diagnostic.ts';
import { RESERVED } from '#schemas/types/reserved-names.ts';
import { printPath } from '#grammar/reference/print.ts';
import { parsePath } from '#grammar/value-path/parse.ts';

import { extractedPath } from '../calls.ts';
import { flowOf, literalText } from '../flow.ts';
import { kindOf, type FlowFacts } from '../flow-facts.ts';
import type { Knowledge, ListFacts } from '../knowledge.ts';
import { memberMeant, renamedMember } from '../meant/member-meant.ts';
import { argumentRoute, type Call, type UsedFile } from '../resolved.ts';
import { undeclared, whatIsThere } from '../result-fields.ts';
import { checkAlone, checkEnd, checkHandle, checkSession } from '../sessions.ts';
import type { Flow } from '../signature.ts';
import { extractedFrom, typedBy } from '../typed-by.ts';
import { declarerOf, noMember } from '../value-type.ts';
import type { Variable } from '../variable.ts';

import { checkFilledLater } from './filled-later.ts';
import { checkReadByName } from './read-by-name.ts';

/** Notes what steps do to sessions and variables, and reports those that they would need and cannot have. */
export class StepEffects {
  readonly #knowledge: Knowledge;
  readonly #withoutRows: Knowledge;

  constructor(knowledge: Knowledge) {
    this.#knowledge = knowledge;
    this.#withoutRows = { ...knowledge, rows: undefined };
  }

  /** Knowledge at hand where the steps run for rows of their own. */
  in({ ownRows }: ListFacts): Knowledge {
    return ownRows === undefined ? this.#knowledge : this.#withoutRows;
  }

  /** Sessions are those of the caller; what the file writes is its own. */
  used(call: Call, used: UsedFile, known: FlowFacts, ofList: ListFacts): void {
    for (const session of used.resolved.file.meta.sessions ?? [])
      checkSession(call, session, known, ofList, this.#knowledge);
    for (const name of used.needs) checkHandle(call, name, known, ofList, this.#knowledge);
    const { closes, ends, endsAll, makes, opens } = used;
    for (const name of [...opens, ...makes])
      if (!closes.has(name) && !ends.has(name) && !endsAll.has(kindOf(name)))
        checkAlone(call, name, known, ofList, this.#knowledge);
    known.passUsed(call, used, ofList.isSure);
  }

  /** Checks the sessions that the call needs, and notes its effects in what is known. */
  flow(call: Call, known: FlowFacts, ofList: ListFacts): void {
    const flow = this.#flowOf(call);
    if (call.signature.flow === undefined && flow !== undefined) this.#notReserved(call, flow);
    if (flow?.uses !== undefined) checkSession(call, flow.uses, known, ofList, this.#knowledge);
    if (flow?.needs !== undefined) checkHandle(call, flow.needs, known, ofList, this.#knowledge);
    else if (flow?.ends !== undefined) checkEnd(call, flow.ends, known, this.#knowledge);
    const made = flow?.opens ?? flow?.makes;
    if (made !== undefined) checkAlone(call, made, known, ofList, this.#knowledge);
    if (call.signature.templates !== undefined) checkFilledLater(call, known, this.#knowledge);
    if (call.signature.info.variables?.reads !== undefined) checkReadByName(call, known, this.#knowledge);
    if (call.signature.info.variables?.extracts !== undefined) this.#extracts(call, known, ofList);
    const defines = flow !== undefined && flow.defines.length > 0;
    known.pass(call, flow, ofList.isSure, defines ? this.#typing(call, known, ofList) : undefined);
  }

  /** Types of the variables that a call defines. */
  #typing(call: Call, known: FlowFacts, ofList: ListFacts): (name: string) => Variable {
    return (name) => typedBy(call, name, known, this.in(ofList));
  }

  #flowOf(call: Call): Flow | undefined {
    return flowOf(call, this.#knowledge.tokens, this.#knowledge.profiles);
  }

  /** The path of a call that takes something out of a value leads to what can be there. */
  #extracts(call: Call, known: FlowFacts, ofList: ListFacts): void {
    const { of, path: parameter } = call.signature.info.variables?.extracts ?? { of: '', path: '' };
    const written = extractedPath(call.signature, call.args);
    const path = written === undefined ? undefined : parsePath(written).path;
    if (path === undefined || known.isOpen()) return;
    const missing = noMember(extractedFrom(call, of, known, this.in(ofList)).get(), path);
    if (missing === undefined) return;
    const { document, report } = this.#knowledge;
    const owner = (call.args[of] ?? null) === null ? 'last_response' : of;
    const at: Label = { source: document.source, route: argumentRoute(call, parameter, document), part: 'value' };
    const declarer = declarerOf(missing.type);
    if (declarer !== undefined) return report(undeclared(missing, String(path[missing.index]), at, declarer));
    const lost = { ...missing, path };
    const nearest = memberMeant(lost);
    report(
      d.noMember({
        at,
        path: printPath([owner, ...path.slice(0, missing.index)]),
        member: String(path[missing.index]),
        what: whatIsThere(missing),
        nearest,
        fixes: renamedMember(lost, nearest, at, document.value),
      }),
    );
  }

  /** A parameter that names a variable cannot name one of the language. */
  #notReserved(call: Call, { defines }: Flow): void {
    const name = defines.find(isReserved);
    if (name !== undefined) this.#reserved(call, name);
  }

  #reserved(call: Call, name: string): void {
    const { document, report, tokens } = this.#knowledge;
    const parameter = Object.keys(call.args).find((each) => literalText(call.args[each] ?? null, tokens) === name);
    if (parameter !== undefined)
      report(
        d.reservedName({
          at: { source: document.source, route: argumentRoute(call, parameter, document), part: 'value' },
          name,
        }),
      );
  }
}

function isReserved(name: string): boolean {
  return RESERVED.includes(name);
}
