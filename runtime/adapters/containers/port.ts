declare module '#runtime/kernel/ports.ts' {
  interface Ports {
    readonly containers: Containers;
  }
}

/** Containers of one unit, removed at its end. */
export interface Containers {
  /**
   * Pulls the image where it is missing, starts a container and waits until it is ready; one that is not in time is
   * removed.
   */
  start(wanted: WantedContainer, signal: AbortSignal): Promise<StartedContainer>;
  /** Started here and not stopped. */
  readonly count: number;
  /** By its id or the beginning of it that `start` yielded. */
  stop(id: string): Promise<void>;
  /** The newest first; each one is tried. */
  stopAll(): Promise<void>;
}

export interface WantedContainer {
  readonly image: string;
  /** Ports of the container with those of this machine; 0: a free one. */
  readonly ports: Readonly<Record<string, number>>;
  readonly environment: Readonly<Record<string, string>>;
  /** Ready when its log holds the text so often; absent: when each port takes a connection. */
  readonly log?: { readonly text: string; readonly times: number };
  readonly timeout_ms: number;
}

export interface StartedContainer {
  readonly id: string;
  readonly image: string;
  readonly host: string;
  /** Ports of the container with those of this machine. */
  readonly ports: Readonly<Record<string, number>>;
}
