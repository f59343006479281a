declare module '#runtime/kernel/ports.ts' {
  interface Ports {
    readonly xml: XmlPort;
  }
}

/** Reads XML that came over a network: without document types, so without entities of its own, and not too deep. */
export interface XmlPort {
  /** The root element; a text says why there is none. */
  read(text: string): XmlElement | string;
}

export interface XmlElement {
  /** Without a prefix. */
  readonly name: string;
  /** Empty where it has none. */
  readonly namespace: string;
  readonly children: readonly XmlElement[];
  /** All text in it, also that of elements below. */
  readonly text: string;
}
