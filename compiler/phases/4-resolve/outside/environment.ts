import { join } from 'node:path';

import type { CompileContext } from '#compiler/context.ts';
import * as d from '#schemas/generated/diagnostics.ts';
import type { Label, Report } from '#schemas/types/diagnostic.ts';
import type { Json } from '#schemas/types/json.ts';
import type { SourceId } from '#schemas/types/place.ts';

import { sourceIdOf } from '../files.ts';
import { linesOfKeys } from './profiles.ts';
import { unreadLines } from './unread-lines.ts';
import { TEXT, typeOfJson, union, type Type } from '../value-type.ts';

/** Lines of one file that a finding names. */
const MOST_LINES = 10;

/** Keys that `${ENV.KEY}` will find, as far as the compiler can see. */
export interface KnownEnvironment {
  readonly has: (key: string) => boolean;
  readonly keys: () => readonly string[];
  /** The files that were looked for, as people would write them. */
  readonly lookedFor: readonly string[];
  /** Type of the text that a file gives a key; undefined where the process gives it, or nobody does. */
  readonly type: (key: string) => Type | undefined;
  /** Place of that text. */
  readonly place: (key: string) => Label | undefined;
}

/**
 * The process environment with `.env.<name>` and `.env`, each looked up beside the action file, then at the project
 * root. `dotenv` of the options stands in place of `.env`.
 */
export async function knownEnvironment(
  folder: string,
  name: string | undefined,
  context: CompileContext,
): Promise<KnownEnvironment> {
  const { host, options, reader, root, report } = context;
  const environment = options.env ?? name;
  const keys = new Set(Object.keys(host.env).filter((key) => host.env[key] !== undefined));
  const lookedFor: string[] = [];
  const given = new Map<string, { readonly text: string; readonly path: string; readonly content: string }>();
  let isReadable = true;
  const read = async (file: string, folders: readonly string[]): Promise<void> => {
    lookedFor.push(file);
    for (const each of new Set(folders)) {
      const path = join(each, file);
      const found = await reader.find(path);
      if (found === undefined || found.kind === 'directory') continue;
      try {
        const text = new TextDecoder().decode(await reader.read(path));
        for (const [key, value] of Object.entries(host.parseEnv(text))) {
          // The process wins over files, and the environment that was chosen over the common one.
          if (host.env[key] === undefined) given.set(key, { text: value ?? '', path, content: text });
          keys.add(key);
        }
        tellOfLines(text, sourceIdOf(path, root), report);
      } catch {
        // Its content is not known now: the run will say why it cannot be read.
        isReadable = false;
      }
      return;
    }
  };
  await (options.dotenv === undefined ? read('.env', [folder, root]) : read(options.dotenv, [host.cwd]));
  if (environment !== undefined) await read(`.env.${environment}`, [folder, root]);
  return {
    has: (key) => !isReadable || keys.has(key),
    keys: () => [...keys],
    lookedFor,
    type: (key) => {
      const text = given.get(key)?.text;
      return text === undefined || !isReadable ? undefined : readType(text);
    },
    place: (key) => {
      const found = given.get(key);
      if (found === undefined) return undefined;
      const position = { line: linesOfKeys(found.content).get(key) ?? 1, column: 1 };
      return { source: sourceIdOf(found.path, root), route: [], part: 'value', position };
    },
  };
}

function tellOfLines(text: string, source: SourceId, report: Report): void {
  const lines = unreadLines(text);
  const [line] = lines;
  if (line === undefined) return;
  const at: Label = { source, route: [], part: 'value', position: { line, column: 1 } };
  const more = lines.length - MOST_LINES;
  const told = lines.slice(0, MOST_LINES).join(', ') + (more > 0 ? ` and ${more} more` : '');
  report(d.environmentLineUnread({ at, file: source, lines: told }));
}

/** A text that reads as a number or a boolean may be one. */
function readType(text: string): Type {
  return union([TEXT, ...(isScalar(text) ? [typeOfJson(JSON.parse(text) as Json)] : [])]);
}

function isScalar(text: string): boolean {
  return /^\s*(?:true|false|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)\s*$/.test(text);
}
