declare module '#runtime/kernel/ports.ts' {
  interface Ports {
    readonly ledger: Ledger;
  }
}

/**
 * Run ledgers: which action file passed or failed, run after run. A ledger is a JSON file (`{"runs": [{path, passed,
 * time}]}`), or a SQLite file where its name ends in `.sqlite`, `.sqlite3` or `.db`. Several processes may write one at
 * the same time.
 */
export interface Ledger {
  /** Adds an entry; makes the ledger and its folders when missing. The entry survives a kill once this resolves. */
  append(path: string, run: NewRun, signal: AbortSignal): Promise<void>;
  /** All entries, oldest first; none where there is no ledger. */
  runs(path: string): Promise<readonly LedgerRun[]>;
  /** Removes the ledger; fine where there is none. */
  clear(path: string): Promise<void>;
}

export interface NewRun {
  /** The action file, as the ledger spells it. */
  readonly path: string;
  readonly passed: boolean;
}

export interface LedgerRun extends NewRun {
  /** Time of the entry: ISO 8601, UTC, to the second; absent where the ledger does not say. */
  readonly time?: string;
}
