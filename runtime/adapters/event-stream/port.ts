declare module '#runtime/kernel/ports.ts' {
  interface Ports {
    readonly eventStream: EventStream;
  }
}

/** Reads `text/event-stream` as the HTML standard says. */
export interface EventStream {
  /** A reader of one stream: it is given the text as it comes, and calls back for each whole event. */
  reader(on: EventHandlers): EventReader;
}

export interface EventHandlers {
  event(event: StreamEvent): void;
  /** The id to go on from when the stream is lost: of an event, or of a block without data. Empty: from the start. */
  position(id: string): void;
  /** The server asks to wait so many milliseconds before connecting again. */
  retry(ms: number): void;
}

export interface EventReader {
  feed(text: string): void;
}

export interface StreamEvent {
  readonly data: string;
  /** Absent: `message`. */
  readonly event?: string;
  readonly id?: string;
}
