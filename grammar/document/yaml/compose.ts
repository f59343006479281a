import { COLLECTION_STYLE, EVENT_ID, SCALAR_STYLE } from 'js-yaml';
import type { AliasEvent, DocumentEvent, Event, MappingEvent, ScalarEvent, SequenceEvent } from 'js-yaml';

import * as d from '#schemas/generated/diagnostics.ts';
import type { Json } from '#schemas/types/json.ts';
import type { Route } from '#schemas/types/place.ts';
import { endOfLine } from '#grammar/source/lines.ts';
import { nearest } from '#grammar/language/nearest.ts';

import { shorten } from '../findings.ts';
import type { Findings } from '../findings.ts';
import type { ReadLimits } from '../limits.ts';
import {
  patternInQuotes,
  reportDuplicate,
  reportKey,
  reportUnquotedReference,
  unquotedReference,
  withoutBrackets,
} from './findings.ts';
import { emptyCollection, endOfCollection, lastOffset, routeOf } from './open-collection.ts';
import type { OpenCollection, Holder } from './open-collection.ts';
import { beginsBlock, isImplicitKey, rootScalar, touchesValue } from './strict.ts';
import { YamlScalars } from './scalars.ts';
import { propertiesEnd, propertiesStart } from './span.ts';
import { kindOfTag, knownTag } from './tags.ts';

export interface Composed {
  readonly value: Json;
  readonly hasAliases: boolean;
}

/** Start of a document without a mark of its own: the first text behind the end of the one before. */
function behindEnd(text: string, from: number): number {
  const end = /^\.\.\.(?=\s|$).*\n?/gm;
  end.lastIndex = from;
  if (end.exec(text) === null) return from;
  const content = /(?:\s+|#.*)*/y;
  content.lastIndex = end.lastIndex;
  return end.lastIndex + (content.exec(text)?.[0].length ?? 0);
}

/** Characters of a key that needs no `?` (YAML 1.2, 7.4). */
const MOST_OF_A_KEY = 1024;

/**
 * Builds plain values from the events of a parsed YAML text. Undefined where a limit was passed, or there is nothing.
 */
export function composeYaml(
  text: string,
  events: readonly Event[],
  limits: ReadLimits,
  findings: Findings,
): Composed | undefined {
  return new Composer(text, events, limits, findings).compose();
}

interface Anchored {
  readonly value: Json;
  /** Values in it, itself included, aliases written out; -1 while it is open. */
  readonly size: number;
  readonly height: number;
}

class Composer {
  readonly #text: string;
  readonly #events: readonly Event[];
  readonly #limits: ReadLimits;
  readonly #findings: Findings;
  readonly #scalars: YamlScalars;
  readonly #open: OpenCollection[] = [];
  #depth = 0;
  readonly #anchors = new Map<string, Anchored>();
  #values = 0;
  #aliased = 0;
  #root: Json = null;
  #hasAliases = false;
  #refused = false;

  constructor(text: string, events: readonly Event[], limits: ReadLimits, findings: Findings) {
    this.#text = text;
    this.#events = events;
    this.#limits = limits;
    this.#findings = findings;
    this.#scalars = new YamlScalars(text, findings, () => this.#route());
  }

  compose(): Composed | undefined {
    const events = this.#events;
    let documents = 0;
    for (let index = 0; index < events.length && !this.#refused; index += 1) {
      const event = events[index] as Event;
      switch (event.type) {
        case EVENT_ID.SCALAR:
          this.#scalar(event);
          break;
        case EVENT_ID.MAPPING:
          index = this.#mapping(event, index);
          break;
        case EVENT_ID.SEQUENCE:
          index = this.#sequence(event, index);
          break;
        case EVENT_ID.POP:
          this.#pop();
          break;
        case EVENT_ID.ALIAS:
          this.#alias(event);
          break;
        case EVENT_ID.DOCUMENT:
          documents += 1;
          if (documents > 1) return this.#severalDocuments(index);
          this.#document(event);
          break;
      }
    }
    return this.#refused ? undefined : { value: this.#root, hasAliases: this.#hasAliases };
  }

  #document({ directives }: DocumentEvent): void {
    this.#scalars.directives = directives;
    for (const directive of directives) {
      if (directive.kind !== 'yaml' || directive.version === '1.2') continue;
      const found = /^%YAML[ \t]+([0-9.]+)/m.exec(this.#text);
      const start = found?.index ?? 0;
      this.#findings.add(
        d.yamlVersion({
          at: this.#findings.at({ start, end: start + (found?.[0].length ?? 1) }),
          version: directive.version,
        }),
      );
    }
  }

  #severalDocuments(index: number): Composed {
    const mark = /^---(?=\s|$)/gm;
    const [first] = this.#events;
    // The first document may have a mark of its own, and nothing else.
    if (first?.type === EVENT_ID.DOCUMENT && first.explicitStart) mark.exec(this.#text);
    const from = Math.max(mark.lastIndex, lastOffset(this.#events, index));
    mark.lastIndex = from;
    const second = this.#events[index];
    const isMarked = second?.type === EVENT_ID.DOCUMENT && second.explicitStart;
    const start = isMarked ? (mark.exec(this.#text)?.index ?? from) : behindEnd(this.#text, from);
    const end = isMarked ? Math.min(start + 3, this.#text.length) : endOfLine(this.#text, start);
    this.#findings.add(d.severalDocuments({ at: this.#findings.at({ start, end }) }));
    return { value: this.#root, hasAliases: this.#hasAliases };
  }

  #scalar(event: ScalarEvent): void {
    const within = this.#top();
    if (within?.expectsKey === true) return this.#key(within, event);
    this.#values += 1;
    const value = this.#scalars.value(within === undefined ? this.#rootScalar(event) : event);
    if (event.anchorStart >= 0 || event.tagStart >= 0) this.#checkGap(event);
    if (event.anchorStart >= 0) this.#anchors.set(this.#anchorName(event), { value, size: 1, height: 0 });
    this.#add(value);
  }

  #rootScalar(event: ScalarEvent): ScalarEvent {
    const root = rootScalar(this.#text, event);
    if (root !== undefined) return root;
    this.#refuse(d.yamlIndentation({ at: this.#findings.at({ start: event.valueStart, end: event.valueEnd }) }));
    return event;
  }

  #key(within: OpenCollection, event: ScalarEvent): void {
    const key = this.#scalars.key(event);
    if (event.anchorStart >= 0) this.#anchors.set(this.#anchorName(event), { value: key, size: 1, height: 0 });
    within.expectsKey = false;
    if (
      event.valueEnd - event.valueStart > MOST_OF_A_KEY &&
      isImplicitKey(this.#text, event, this.#events[within.event] as MappingEvent)
    ) {
      this.#findings.add(
        d.yamlLongKey({ at: this.#findings.at({ start: event.valueStart, end: event.valueEnd }) }),
        this.#holderRoute(),
      );
    }
    if (typeof key !== 'string') {
      reportKey(this.#text, event, key, this.#holderRoute(), this.#findings);
      within.key = undefined;
    } else if (key === '<<' && event.style === SCALAR_STYLE.PLAIN) {
      this.#findings.add(
        d.mergeKey({ at: this.#findings.at({ start: event.valueStart, end: event.valueEnd }) }),
        this.#holderRoute(),
      );
      within.key = undefined;
    } else {
      within.key = this.#isTaken(within, event, key) ? undefined : key;
    }
  }

  /** Whether the object has the key already; reports it then. The first one counts. */
  #isTaken(within: OpenCollection, event: ScalarEvent, key: string): boolean {
    const holder = within.holder as Record<string, Json>;
    // Values are never undefined, and few keys are names that every object inherits.
    if (holder[key] === undefined || !Object.hasOwn(holder, key)) return false;
    reportDuplicate(this.#text, this.#events, within.event, event, key, this.#holderRoute(), this.#findings);
    return true;
  }

  #mapping(event: MappingEvent, index: number): number {
    const outer = this.#top();
    if (outer?.expectsKey === true) {
      const outerStart = (this.#events[outer.event] as MappingEvent).start;
      const meant =
        event.style === COLLECTION_STYLE.FLOW && event.start === outerStart + 1
          ? unquotedReference(this.#text, outerStart)
          : undefined;
      return this.#collectionKey(outer, event, index, meant);
    }
    if (outer?.isList === false && event.style === COLLECTION_STYLE.BLOCK) this.#checkLine(event.start);
    this.#checkTag(event, 'map');
    this.#push({}, false, event, index);
    return index;
  }

  /** An anchor or tag that the value follows without a blank, which the parser takes. */
  #checkGap(event: ScalarEvent | MappingEvent | SequenceEvent): void {
    if (!touchesValue(this.#text, event)) return;
    const start = propertiesStart(event);
    this.#findings.add(
      d.yamlAnchorOrTag({ at: this.#findings.at({ start, end: propertiesEnd(event) }) }),
      this.#route(),
    );
  }

  /** An object on the line of its key (`a: &x b: c`), which the parser takes behind an anchor or a tag. */
  #checkLine(start: number): void {
    if (beginsBlock(this.#text, start)) return;
    const colon = this.#text.indexOf(': ', start);
    const at = colon < 0 ? start : colon;
    this.#findings.add(d.yamlSecondColon({ at: this.#findings.at({ start: at, end: at + 1 }) }), this.#route());
  }

  #sequence(event: SequenceEvent, index: number): number {
    const outer = this.#top();
    if (outer?.expectsKey === true) return this.#collectionKey(outer, event, index, undefined);
    this.#checkTag(event, 'seq');
    this.#push([], true, event, index);
    return index;
  }

  /** A list or an object as a key: reported, its events passed over, its value dropped. */
  #collectionKey(
    within: OpenCollection,
    event: MappingEvent | SequenceEvent,
    index: number,
    meant: string | undefined,
  ): number {
    const route = this.#holderRoute();
    const { start } = event;
    if (meant !== undefined) {
      reportUnquotedReference(this.#text, start - 1, this.#findings, route);
      within.meant = meant;
    } else {
      const found = event.type === EVENT_ID.MAPPING ? 'an object' : 'a list';
      const fixes = withoutBrackets(this.#text, start);
      this.#findings.add(d.keyNotText({ at: this.#findings.at({ start, end: start + 1 }), found, fixes }), route);
    }
    within.expectsKey = false;
    within.key = undefined;
    return endOfCollection(this.#events, index);
  }

  #alias(event: AliasEvent): void {
    this.#hasAliases = true;
    const name = this.#text.slice(event.anchorStart, event.anchorEnd);
    const target = this.#anchors.get(name);
    const at = this.#findings.at({ start: event.anchorStart - 1, end: event.anchorEnd });
    const within = this.#top();
    if (target === undefined)
      this.#findings.add(
        d.unknownAnchor({
          at,
          name,
          nearest: nearest(name, [...this.#anchors.keys()].slice(-100)),
          fixes: patternInQuotes(this.#text, event),
        }),
        this.#route(),
      );
    else if (target.size < 0) this.#findings.add(d.aliasCycle({ at, name }), this.#route());
    if (within?.expectsKey === true) return this.#aliasKey(within, event, target);
    if (target === undefined || target.size < 0) return this.#add(null);
    this.#values += target.size;
    this.#aliased += target.size;
    if (within !== undefined) within.height = Math.max(within.height, target.height);
    if (this.#depth + target.height > this.#limits.depth) this.#refuse(d.tooDeep({ at, limit: this.#limits.depth }));
    if (this.#aliased > this.#limits.aliased_values)
      this.#refuse(d.tooManyAliasedValues({ at, limit: this.#limits.aliased_values }));
    this.#add(target.value);
  }

  #aliasKey(within: OpenCollection, event: AliasEvent, target: Anchored | undefined): void {
    within.expectsKey = false;
    within.key = undefined;
    if (target === undefined || target.size < 0) return;
    const span = { start: event.anchorStart - 1, end: event.anchorEnd };
    if (typeof target.value !== 'string') {
      this.#findings.add(
        d.keyNotText({ at: this.#findings.at(span), found: 'what the alias stands for' }),
        this.#holderRoute(),
      );
    } else if (Object.hasOwn(within.holder, target.value)) {
      this.#findings.add(d.duplicateKey({ at: this.#findings.at(span), key: target.value }), [
        ...this.#holderRoute(),
        target.value,
      ]);
    } else {
      within.key = target.value;
    }
  }

  #push(holder: Holder, isList: boolean, event: MappingEvent | SequenceEvent, index: number): void {
    this.#values += 1;
    if (event.anchorStart >= 0 || event.tagStart >= 0) this.#checkGap(event);
    const anchor = event.anchorStart < 0 ? undefined : this.#anchorName(event);
    // While it is open the anchor is known but cannot be used: an alias to it would be a cycle.
    if (anchor !== undefined) this.#anchors.set(anchor, { value: null, size: -1, height: 0 });
    const within = (this.#open[this.#depth] ??= emptyCollection());
    within.holder = holder;
    within.isList = isList;
    within.event = index;
    within.key = undefined;
    within.expectsKey = !isList;
    within.anchor = anchor;
    within.valuesBefore = this.#values - 1;
    within.height = 0;
    within.meant = undefined;
    this.#depth += 1;
    if (this.#depth <= this.#limits.depth) return;
    this.#refuse(
      d.tooDeep({ at: this.#findings.at({ start: event.start, end: event.start + 1 }), limit: this.#limits.depth }),
    );
  }

  #pop(): void {
    // The last event closes the document itself.
    if (this.#depth === 0) return;
    this.#depth -= 1;
    const within = this.#open[this.#depth] as OpenCollection;
    const height = within.height + 1;
    const value: Json = within.meant ?? within.holder;
    if (within.anchor !== undefined)
      this.#anchors.set(within.anchor, { value, size: this.#values - within.valuesBefore, height });
    const outer = this.#top();
    if (outer !== undefined && outer.height < height) outer.height = height;
    this.#add(value);
  }

  #add(value: Json): void {
    const within = this.#top();
    if (within === undefined) {
      this.#root = value;
    } else if (within.isList) {
      (within.holder as Json[]).push(value);
    } else {
      within.expectsKey = true;
      if (within.key === undefined) return;
      if (within.key !== '__proto__') (within.holder as Record<string, Json>)[within.key] = value;
      else
        Object.defineProperty(within.holder, within.key, {
          value,
          enumerable: true,
          configurable: true,
          writable: true,
        });
    }
  }

  #checkTag(event: MappingEvent | SequenceEvent, kind: 'map' | 'seq'): void {
    if (event.tagStart < 0) return;
    const span = { start: event.tagStart, end: event.tagEnd };
    const tag = this.#text.slice(span.start, span.end);
    const known = knownTag(tag, this.#scalars.directives);
    if (known === kind || known === 'text') return;
    if (known === undefined)
      return this.#findings.add(d.customTag({ at: this.#findings.at(span), tag: shorten(tag) }), this.#route());
    const text = kind === 'map' ? 'an object' : 'a list';
    this.#findings.add(
      d.tagMismatch({ at: this.#findings.at(span), tag, text, kind: kindOfTag(known) }),
      this.#route(),
    );
  }

  #refuse(diagnostic: ReturnType<typeof d.tooDeep>): void {
    if (!this.#refused) this.#findings.add(diagnostic);
    this.#refused = true;
  }

  #anchorName(event: ScalarEvent | MappingEvent | SequenceEvent): string {
    return this.#text.slice(event.anchorStart, event.anchorEnd);
  }

  #top(): OpenCollection | undefined {
    return this.#depth === 0 ? undefined : this.#open[this.#depth - 1];
  }

  /** Route of the next value. */
  #route(): Route {
    return routeOf(this.#open, this.#depth);
  }

  /** Route of the open collection. */
  #holderRoute(): Route {
    return routeOf(this.#open, this.#depth - 1);
  }
}
