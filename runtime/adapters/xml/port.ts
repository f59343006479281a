declare module '#runtime/kernel/ports.ts' {
  interface Ports {
    readonly xml: XmlPort;
  }
}

/** Reads XML that came over a network: without document types, so without entities of its own, and not too deep. */
export interface XmlPort {
  /** The root element; a text says why there is none. */
  read(text: string): XmlElement | string;
  /** All that stands in a document, in order and under its names as they are written; a text says why it is none. */
  parts(text: string): readonly XmlPart[] | string;
}

/** A part of a document; comments and the like are kept as they are written. */
export type XmlPart =
  | {
      readonly kind: 'element';
      readonly name: string;
      readonly attributes: Readonly<Record<string, string>>;
      readonly parts: readonly XmlPart[];
    }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'other'; readonly written: string };

export interface XmlElement {
  /** Name without its prefix. */
  readonly name: string;
  /** Empty where it has none. */
  readonly namespace: string;
  /** By name without a prefix. */
  readonly attributes: Readonly<Record<string, string | undefined>>;
  readonly children: readonly XmlElement[];
  /** All text in it, also that of elements below. */
  readonly text: string;
}
