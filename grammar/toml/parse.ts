import { TomlError, parse } from 'smol-toml';

export type TomlTable = Readonly<Record<string, unknown>>;

export interface TomlProblem {
  /** Number of the line, from 1; columns count UTF-16 units. */
  readonly line: number;
  readonly column: number;
  /** Reason in a few words, without any of the text: it may hold secrets. */
  readonly reason: string;
}

export type ReadToml = { readonly table: TomlTable } | { readonly problem: TomlProblem };

/** Tables inside tables. */
const DEEPEST = 64;

/**
 * The door of TOML 1.0, with what 1.1 adds. Never throws. Whole numbers beyond ±(2^53−1) and keys that every object has
 * are problems.
 */
export function parseToml(text: string): ReadToml {
  try {
    return { table: parse(text.replace(/^\ufeff/, ''), { maxDepth: DEEPEST, unsafeKeyBehaviour: 'throw' }) };
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const { line, column, message } = error;
    const [first = ''] = message.split('\n');
    return { problem: { line, column, reason: first.replace(/^Invalid TOML document: /, '').replace(/\.$/, '') } };
  }
}
