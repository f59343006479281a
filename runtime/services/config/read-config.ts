import * as fail from '#schemas/generated/failures.ts';
import type { TomlTable } from '#grammar/toml/parse.ts';

/** A sink as the file has it, references resolved: the options are for the sink to judge. */
export interface SinkEntry {
  readonly type: string;
  readonly name: string | null;
  readonly options: Readonly<Record<string, unknown>>;
}

export interface ReadConfig {
  readonly sinks: readonly SinkEntry[];
  readonly dedupSeconds: number | null;
  /** Top-level sections that mean nothing here. */
  readonly unknown: readonly string[];
}

const SINK_TYPES = ['chat', 'discord', 'email', 'pagerduty', 'slack', 'teams', 'telegram', 'webhook'] as const;

const known: Readonly<Record<string, readonly string[]>> = {
  defaults: ['dedup_seconds'],
  notify: ['sinks'],
  secrets: ['file_root'],
};

/** The folder of secret files, which is needed before references can be resolved; null without one. */
export function fileRootOf(table: TomlTable, path: string): string | null {
  const root = sectionOf(table, 'secrets', path)['file_root'];
  if (root === undefined) return null;
  if (typeof root !== 'string' || root === '')
    throw unfit(path, 'secrets.file_root', 'it must be a text that is not empty');
  if (root.includes('${'))
    throw unfit(path, 'secrets.file_root', 'it may hold no references: they are resolved with it');
  return root;
}

/** Reads what a configuration says; fails with the first thing that does not fit. */
export function readConfig(table: TomlTable, path: string): ReadConfig {
  for (const [name, keys] of Object.entries(known)) {
    const odd = Object.keys(sectionOf(table, name, path)).find((key) => !keys.includes(key));
    if (odd !== undefined) throw unfit(path, `${name}.${odd}`, `"${name}" knows only ${keys.join(', ')}`);
  }
  fileRootOf(table, path);
  return {
    sinks: sinksOf(table, path),
    dedupSeconds: dedupOf(table, path),
    unknown: Object.keys(table)
      .filter((name) => !Object.hasOwn(known, name))
      .toSorted(),
  };
}

/** An empty table where there is none. */
export function sectionOf(table: TomlTable, name: string, path: string): TomlTable {
  const section = Object.hasOwn(table, name) ? table[name] : {};
  if (!isTable(section)) throw unfit(path, name, 'it must be a table');
  return section;
}

function sinksOf(table: TomlTable, path: string): readonly SinkEntry[] {
  const sinks = sectionOf(table, 'notify', path)['sinks'] ?? [];
  if (!Array.isArray(sinks))
    throw unfit(path, 'notify.sinks', 'it must be a list of tables, each begun with [[notify.sinks]]');
  const names = new Set<string>();
  return sinks.map((sink: unknown, index) => {
    const at = `notify.sinks[${index}]`;
    if (!isTable(sink)) throw unfit(path, at, 'it must be a table');
    const { type, name = null, ...options } = sink;
    if (typeof type !== 'string' || !SINK_TYPES.some((word) => word === type))
      throw unfit(path, `${at}.type`, `it must be one of ${SINK_TYPES.join(', ')}`);
    if (name !== null && (typeof name !== 'string' || name === ''))
      throw unfit(path, `${at}.name`, 'it must be a text that is not empty');
    const shown = name ?? (type === 'slack' ? 'chat' : type);
    if (names.has(shown)) throw unfit(path, `${at}.name`, `there is another sink named "${shown}"`);
    names.add(shown);
    return { type, name, options };
  });
}

function dedupOf(table: TomlTable, path: string): number | null {
  const given = sectionOf(table, 'defaults', path)['dedup_seconds'];
  if (given === undefined) return null;
  const seconds = typeof given === 'string' && given.trim() !== '' ? Number(given) : given;
  if (typeof seconds !== 'number' || !Number.isFinite(seconds) || seconds < 0)
    throw unfit(path, 'defaults.dedup_seconds', 'it must be a number of 0 or more');
  return seconds;
}

export function unfit(path: string, key: string, reason: string, cause?: unknown): Error {
  return fail.configUnfit({ path, key, reason, ...(cause !== undefined && { cause }) });
}

function isTable(value: unknown): value is TomlTable {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);
}
