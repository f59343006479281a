import { CommandLineError } from '#grammar/curl/ast.ts';
import { readJsonOrYaml, readOpenApi, readOpenApiFile } from '#grammar/openapi/read.ts';
import type { DocumentFile } from '#grammar/openapi/read.ts';
import { addAll } from '#grammar/source/add-all.ts';
import { isObject } from '#schemas/types/json.ts';
import type { Json } from '#schemas/types/json.ts';

import { importBruno, type BrunoFile } from './bruno.ts';
import { importCurlLine, isCurlLine } from './curl.ts';
import { ImportError, type ImportedFile } from './file.ts';
import { importHar } from './har.ts';
import { importHttpFile } from './http-file.ts';
import { importHurl } from './hurl.ts';
import { importOpenApi } from './openapi.ts';
import { importPostman } from './postman.ts';
import type { ImportedAction } from './request.ts';

const importFormats = ['openapi', 'collection', 'curl', 'har', 'http', 'bruno', 'hurl'] as const;
export type ImportFormat = (typeof importFormats)[number];

/**
 * The kind of a text from another program, by its name first and then by what is in it; undefined: none of those known.
 */
export async function detectFormat(name: string, text: string): Promise<ImportFormat | undefined> {
  if (/\.(?:http|rest)$/i.test(name)) return 'http';
  if (/\.bru$/i.test(name)) return 'bruno';
  if (/\.hurl$/i.test(name)) return 'hurl';
  if (/\.har$/i.test(name)) return 'har';
  // Comments may stand before the first line.
  if (isCurlLine(text.replace(/^(?:[^\S\n]*(?:#.*)?\n)+/, ''))) return 'curl';
  const read = await readJsonOrYaml(text);
  const json = 'json' in read && isObject(read.json) ? read.json : {};
  if (typeof json['openapi'] === 'string' || typeof json['swagger'] === 'string') return 'openapi';
  if (isObject(json['log'] ?? null)) return 'har';
  const collection = isObject(json['collection'] ?? null) ? json['collection'] : json;
  if (isObject(collection) && Array.isArray(collection['item'])) return 'collection';
  return undefined;
}

/**
 * Reads a text of another program; throws an `ImportError` that says why it is none of that kind. `file`: where it
 * stands, for references to files beside it.
 */
export async function importText(
  format: ImportFormat,
  text: string,
  { name, baseUrl, file }: { readonly name: string; readonly baseUrl?: string; readonly file?: DocumentFile },
): Promise<ImportedFile> {
  switch (format) {
    case 'openapi': {
      const read = file ? await readOpenApiFile(text, file) : await readOpenApi(text);
      if ('error' in read) throw new ImportError(read.error);
      return importOpenApi(read.document, baseUrl?.replace(/\/+$/, ''));
    }
    case 'collection':
      return importPostman(await jsonOf(text));
    case 'har':
      return requestsOfHar(await jsonOf(text));
    case 'curl': {
      const actions: ImportedAction[] = [];
      const lost: string[] = [];
      for (const { line, others } of commandLines(text)) {
        // The rest of such a line may be secret.
        const beginnings = others.map((each) => /^[\w-]{1,20}|^./u.exec(each)?.[0] ?? '');
        lost.push(...beginnings.map((word) => `the line that begins with "${word}": it is no command of curl`));
        const imported = await importCurlLine(line);
        if (imported instanceof CommandLineError)
          throw new ImportError(`${imported.reason} (position ${imported.at + 1})`);
        addAll(actions, imported);
      }
      if (actions.length === 0) throw new ImportError('it has no command line of curl');
      return { ...ofActions('cURL', actions), lost };
    }
    case 'http':
      return await importHttpFile(text);
    case 'bruno':
      return importBruno([{ path: name, text }]);
    case 'hurl':
      return importHurl(text);
    default:
      return format satisfies never;
  }
}

/** A whole collection of Bruno. */
export function importBrunoFolder(files: readonly BrunoFile[]): ImportedFile {
  const settings = files.find(({ path }) => path === 'bruno.json');
  let title = '';
  try {
    const json = JSON.parse(settings?.text ?? '{}') as Json;
    if (isObject(json) && typeof json['name'] === 'string') title = json['name'];
  } catch (error) {
    throw new ImportError(`bruno.json is no JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
  return importBruno(files, title);
}

function requestsOfHar(har: Json): ImportedFile {
  const actions = importHar(har);
  const sent = actions.filter(({ action: [, { test_url: url }] }) => /^https?:/i.test(url));
  if (sent.length === 0) throw new ImportError('it has no request');
  // Pictures that stand in their address, messages of a WebSocket: a browser lists what is no request too.
  const lost = actions.filter((one) => !sent.includes(one)).flatMap((one) => one.lost);
  return { ...ofActions('HAR file', sent), lost };
}

async function jsonOf(text: string): Promise<Json> {
  const read = await readJsonOrYaml(text);
  if ('error' in read) throw new ImportError(read.error);
  return read.json;
}

function ofActions(from: string, actions: readonly ImportedAction[]): ImportedFile {
  return {
    from,
    meta: {},
    steps: actions.map(({ action, options, lost }) => {
      const [name, params] = action;
      const judged = params['result_check_dict'] !== undefined;
      const path = URL.parse(params.test_url.replaceAll(/[${}]/g, ''))?.pathname ?? params.test_url;
      const title = `${params.http_method.toUpperCase()} ${path}`;
      return {
        action: [name, params],
        options: { name: title, ...options, ...(judged ? {} : { expect: 'result.status_code < 400' }) },
        lost,
      };
    }),
    lost: [],
    secrets: [...new Set(actions.flatMap(({ secrets }) => secrets))],
  };
}

/** Command lines: one begins with `curl` behind a line that ends one. `others`: lines that follow it. */
function commandLines(text: string): readonly { readonly line: string; readonly others: readonly string[] }[] {
  return text
    .split(/(?<=\n)(?=[ \t]*(?:\$[ \t]+)?curl(?:\.exe)?[ \t])/)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((all) => {
      const end = endOfCommand(all);
      const others = all.slice(end).split('\n');
      return {
        line: all.slice(0, end),
        others: others.map((each) => each.trim()).filter((each) => each !== '' && !each.startsWith('#')),
      };
    });
}

/** Place of the first break outside of quotes that ends a command: nothing before or behind it goes on. */
function endOfCommand(text: string): number {
  const piece =
    /\\[\s\S]|[\^`]\r?\n|\$'(?:[^'\\]|\\[\s\S])*'|'[^']*'|"(?:[^"\\]|\\[\s\S])*"|([^\S\n]*\n\s*)|[^\S\n]+|[\s\S]/g;
  const further = /-|['"]?https?:/iy;
  for (const { 0: signs, 1: between, index } of text.matchAll(piece)) {
    if (between === undefined) continue;
    further.lastIndex = index + signs.length;
    if (!further.test(text)) return index;
  }
  return text.length;
}
