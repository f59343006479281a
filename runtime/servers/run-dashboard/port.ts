declare module '#runtime/kernel/ports.ts' {
  interface Ports {
    readonly dashboard: RunDashboard;
  }
}

/** The page that shows the record of a unit while it runs: at most one a unit, ended with it. */
export interface RunDashboard {
  /** Yields the address of the page; of the one that runs, where one does. */
  start(options: RunDashboardOptions): Promise<string>;
  /** Not running is fine. */
  stop(): Promise<void>;
}

export interface RunDashboardOptions {
  readonly host: string;
  /** 0: a free one. */
  readonly port: number;
  readonly secret: string | null;
  readonly allowReachable: boolean;
}
