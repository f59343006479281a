import type { Ports } from '#runtime/kernel/ports.ts';
import { parseToml, type TomlTable } from '#grammar/toml/parse.ts';
import { resolveSecretRefs } from '#runtime/services/secret-providers/resolve-secret-refs.ts';
import * as fail from '#schemas/generated/failures.ts';
import type { Files } from '#schemas/types/host.ts';
import { Failure } from '#schemas/types/failure.ts';

import type { ConfigSummary } from './port.ts';
import { fileRootOf, readConfig, sectionOf, unfit, type ReadConfig, type SinkEntry } from './read-config.ts';

type Chain = ReturnType<Ports['secretProviders']['chain']>;
type Prepared = ReturnType<Ports['notify']['prepare']>;

/** Registry of sinks; `notify` of a unit is one. */
export type SinkManager = Pick<Ports['notify'], 'prepare' | 'configure' | 'unregister'>;

export interface LoadTools {
  readonly files: Files;
  /** Makes the chain in which secrets are looked up, given the folder of secret files that the file names. */
  readonly chain: (fileRoot: string | null) => Pick<Chain, 'resolveOne'>;
}

/** Window (s) where no configuration sets one. */
const DEFAULT_DEDUP_SECONDS = 60;
/** The largest file that is read. */
const MOST_BYTES = 1024 * 1024;

/**
 * A configuration file, read, its references resolved, and found to fit. Printed or turned into JSON it shows no value.
 */
export class AutomationConfig {
  readonly source: string;
  readonly #table: TomlTable;
  readonly #read: ReadConfig;

  private constructor(source: string, table: TomlTable, read: ReadConfig) {
    this.source = source;
    this.#table = table;
    this.#read = read;
  }

  /**
   * Fails where the file cannot be read, where something in it does not fit, and for the first reference that nobody
   * knows.
   */
  static async load({ files, chain }: LoadTools, path: string): Promise<AutomationConfig> {
    const table = tableOf(await textOf(files, path), path);
    const root = fileRootOf(table, path);
    const resolved = (await resolveSecretRefs(table, chain(root))) as TomlTable;
    return new AutomationConfig(path, resolved, readConfig(resolved, path));
  }

  /** All of it, secrets included. */
  get raw(): TomlTable {
    return this.#table;
  }

  /** One table of it, secrets included; an empty one where there is none. */
  section(name: string): TomlTable {
    return sectionOf(this.#table, name, this.source);
  }

  /** Its sinks with their options, secrets included. */
  get sinks(): readonly SinkEntry[] {
    return this.#read.sinks;
  }

  get unknownSections(): readonly string[] {
    return this.#read.unknown;
  }

  get summary(): ConfigSummary {
    const { sinks, dedupSeconds } = this.#read;
    return { source: this.source, sinks: sinks.map(nameOf), dedupSeconds };
  }

  /**
   * Registers its sinks and sets its window, all or nothing. Sinks of `before` that it does not have are taken away.
   */
  async applyTo(
    manager: SinkManager,
    { signal, before }: { readonly signal: AbortSignal; readonly before?: ConfigSummary | undefined },
  ): Promise<void> {
    const prepared = this.prepare(manager);
    for (const [index, sink] of prepared.entries()) await this.#checked(index, () => sink.check(signal));
    signal.throwIfAborted();
    const { sinks, dedupSeconds } = this.summary;
    for (const name of before?.sinks ?? []) if (!sinks.includes(name)) manager.unregister(name);
    for (const sink of prepared) sink.register();
    if (dedupSeconds !== null) manager.configure(dedupSeconds);
    else if (before && before.dedupSeconds !== null) manager.configure(DEFAULT_DEDUP_SECONDS);
  }

  /** Holds the options of its sinks to what their types ask for; nothing is registered. */
  prepare(manager: Pick<SinkManager, 'prepare'>): readonly Prepared[] {
    return this.#read.sinks.map(({ type, name, options }, index) => {
      try {
        return manager.prepare(type as Parameters<SinkManager['prepare']>[0], name, options);
      } catch (error) {
        throw this.#unfitSink(index, error);
      }
    });
  }

  toJSON(): unknown {
    return this.summary;
  }

  async #checked(index: number, check: () => Promise<void>): Promise<void> {
    try {
      await check();
    } catch (error) {
      throw this.#unfitSink(index, error);
    }
  }

  #unfitSink(index: number, error: unknown): unknown {
    return error instanceof Failure ? unfit(this.source, `notify.sinks[${index}]`, error.message, error) : error;
  }
}

function nameOf({ type, name }: SinkEntry): string {
  return name ?? (type === 'slack' ? 'chat' : type);
}

async function textOf(files: Files, path: string): Promise<string> {
  let bytes: Uint8Array;
  try {
    const stat = await files.stat(path);
    if (stat.kind !== 'file') throw new Error('it is no file');
    if (stat.size > MOST_BYTES) throw new Error(`it is larger than ${MOST_BYTES} bytes`);
    bytes = await files.read(path);
  } catch (cause) {
    throw fail.configUnreadable({ path, reason: cause instanceof Error ? cause.message : String(cause), cause });
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw fail.configUnreadable({ path, reason: 'it is not UTF-8' });
  }
}

function tableOf(text: string, path: string): TomlTable {
  const read = parseToml(text);
  if ('table' in read) return read.table;
  const { line, column, reason } = read.problem;
  throw fail.configUnreadable({ path, reason: `line ${line}, column ${column}: ${reason}` });
}
