import { SCALAR_STYLE, getScalarValue } from 'js-yaml';
import type { DocumentDirective, ScalarEvent } from 'js-yaml';

import * as d from '#schemas/generated/diagnostics.ts';
import type { Route } from '#schemas/types/place.ts';
import { hex, loneSurrogate } from '#grammar/source/text.ts';

import { shorten } from '../findings.ts';
import type { Findings } from '../findings.ts';
import { isPlainNumber } from '../number.ts';
import { reportTag } from './findings.ts';
import { decimalLiteral, resolvePlain } from './scalar.ts';
import { propertiesEnd, scalarSpan } from './span.ts';
import { kindOfTag, knownTag } from './tags.ts';
import type { KnownTag } from './tags.ts';
import { Words } from './words.ts';

type Scalar = null | boolean | number | string;

/** Reads scalars of one YAML text to values, and reports those that have none. */
export class YamlScalars {
  directives: readonly DocumentDirective[] = [];
  readonly #text: string;
  readonly #findings: Findings;
  readonly #route: () => Route;
  readonly #keys: Words;
  readonly #texts: Words;

  /** `route` tells where the value stands that is being read. */
  constructor(text: string, findings: Findings, route: () => Route) {
    this.#text = text;
    this.#findings = findings;
    this.#route = route;
    this.#keys = new Words(text);
    this.#texts = new Words(text);
  }

  /** Value of a scalar; one in error keeps its type, and is poisoned. */
  value(event: ScalarEvent): Scalar {
    if (event.tagStart >= 0) return this.#tagged(event);
    if (event.valueStart < 0) return null;
    if (event.style !== SCALAR_STYLE.PLAIN) return this.#textOf(event);
    const text = event.fast ? this.#text.slice(event.valueStart, event.valueEnd) : getScalarValue(this.#text, event);
    const value = resolvePlain(text);
    return typeof value === 'number' ? this.#number(event, text, value) : value;
  }

  /** A key as it would be as a value; numbers are not judged, because no key may be one. */
  key(event: ScalarEvent): Scalar {
    if (event.tagStart >= 0) return this.#tagged(event);
    if (event.valueStart < 0) return null;
    const word = event.fast ? this.#keys.at(event.valueStart, event.valueEnd) : undefined;
    if (event.style !== SCALAR_STYLE.PLAIN) return word ?? this.#textOf(event);
    return resolvePlain(word ?? getScalarValue(this.#text, event));
  }

  #textOf(event: ScalarEvent): string {
    if (event.valueStart < 0) return '';
    if (event.fast) return this.#texts.at(event.valueStart, event.valueEnd);
    const text = getScalarValue(this.#text, event);
    if (event.style === SCALAR_STYLE.DOUBLE_QUOTED) this.#judgeEscapes(event, text);
    return text;
  }

  #number(event: ScalarEvent, text: string, value: number): number {
    const span = { start: event.valueStart, end: event.valueEnd };
    if (!Number.isFinite(value) && !/[0-9]/.test(text)) {
      this.#findings.add(d.notFinite({ at: this.#findings.at(span), literal: text }), this.#route());
      return 0;
    }
    if (!isPlainNumber(text.length, /[eExo]/.test(text)))
      this.#findings.number(decimalLiteral(text), span, this.#route);
    return value;
  }

  #judgeEscapes(event: ScalarEvent, value: string): void {
    const written = this.#text.slice(event.valueStart, event.valueEnd);
    for (const match of written.matchAll(/\\(?:U([0-9a-fA-F]{8})|[^])/g)) {
      if (match[1] === undefined || Number.parseInt(match[1], 16) <= 0x10ffff) continue;
      const start = event.valueStart + match.index;
      this.#findings.add(
        d.escapeBeyondUnicode({ at: this.#findings.at({ start, end: start + 10 }), escape: match[0] }),
        this.#route(),
      );
      return;
    }
    const unit = loneSurrogate(value);
    if (unit < 0) return;
    const at = this.#findings.at(scalarSpan(this.#text, event, event.valueStart - 1));
    this.#findings.add(d.loneSurrogate({ at, unit: hex(value.charCodeAt(unit), 4) }), this.#route());
  }

  #tagged(event: ScalarEvent): Scalar {
    const span = { start: event.tagStart, end: event.tagEnd };
    const tag = this.#text.slice(span.start, span.end);
    const text = event.valueStart < 0 ? '' : this.#textOf(event);
    const known = knownTag(tag, this.directives);
    if (known === 'str' || known === 'text') return text;
    const end = event.valueStart < 0 ? span.end : scalarSpan(this.#text, event, propertiesEnd(event)).end;
    if (known === undefined) {
      reportTag(this.#text, span, end, this.#route(), this.#findings);
      return this.#text.slice(span.start, Math.max(span.end, end));
    }
    const value = asTagged(known, text);
    if (value === undefined) {
      const at = this.#findings.at({ start: span.start, end: Math.max(span.end, end) });
      const shown = text === '' ? 'an empty value' : `"${shorten(text)}"`;
      this.#findings.add(d.tagMismatch({ at, tag, text: shown, kind: kindOfTag(known) }), this.#route());
      return text;
    }
    return typeof value === 'number' ? this.#number(event, text, value) : value;
  }
}

function asTagged(tag: KnownTag, text: string): Scalar | undefined {
  const value = resolvePlain(text);
  switch (tag) {
    case 'str':
    case 'text':
      return text;
    case 'null':
      return value === null ? null : undefined;
    case 'bool':
      return typeof value === 'boolean' ? value : undefined;
    case 'int':
      return typeof value === 'number' && /^(?:[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+)$/.test(text) ? value : undefined;
    case 'float':
      return typeof value === 'number' && !/^0[ox]/.test(text) ? value : undefined;
    case 'seq':
    case 'map':
      return undefined;
  }
}
