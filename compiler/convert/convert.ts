import { resolve } from 'node:path';

import type { Document } from '#grammar/document/document.ts';
import { linesOf } from '#grammar/source/lines.ts';
import { applyEdits } from '#grammar/source/edit.ts';
import { isList, isObject, type Json } from '#schemas/types/json.ts';
import type { Position, SourceId } from '#schemas/types/place.ts';

import type { CompileContext } from '../context.ts';
import type { Source } from '../load.ts';
import { read, readSource } from '../phases/1-read/index.ts';
import { sourceIdOf, STDIN } from '../phases/4-resolve/files.ts';

import { lostAliases, lostComments } from './lost.ts';
import { COUNTERPARTS } from './engines.ts';
import type { Left } from './left.ts';
import { StepConverter, type Wanted } from './step-converter.ts';

export interface Conversion extends Wanted {
  readonly to?: Document['format'];
}

export interface ConvertedFile {
  readonly source: SourceId;
  readonly path: string;
  /** Text of the file. */
  readonly text: string;
  readonly document?: Document;
  /** Text in the other way of writing; absent where the file cannot be read without errors. */
  readonly converted?: string;
  readonly format?: Document['format'];
  readonly left: readonly (Position & { readonly text: string })[];
}

/** Writes a file in another way. Its meaning stays; parts that cannot be carried are named at their place. */
export async function convertFile(
  { path: written, content }: Source,
  wanted: Conversion,
  context: CompileContext,
): Promise<ConvertedFile> {
  const path = written === STDIN ? STDIN : resolve(context.host.cwd, written);
  const source = sourceIdOf(path, context.root);
  const bytes = content ?? (await readSource(path, source, context));
  if (bytes === undefined) return { source, path, text: '', left: [] };
  const { limits } = context.options;
  const { document, text, diagnostics } = await read(bytes, { source, ...(limits && { limits }) });
  diagnostics.forEach(context.report);
  const isSound = diagnostics.every(({ severity }) => severity !== 'error');
  if (document === undefined || !isSound) return { source, path, text, ...(document && { document }), left: [] };
  const left: Left[] = [];
  const again = await withSteps(document, wanted, context, left);
  const format = wanted.to ?? document.format;
  const { text: converted, after } = await inFormat(again, format, source);
  for (const { span } of lostComments(document, after))
    left.push({
      route: [],
      part: { text: span },
      text: format === 'json' ? 'the comment is lost: JSON has none' : 'the comment is lost: its step is written anew',
    });
  for (const span of lostAliases(document, after))
    left.push({
      route: [],
      part: { text: span },
      text:
        format === 'json'
          ? 'the value is written out: JSON has no aliases'
          : 'the value is written out in place of the alias: its step is written anew',
    });
  const lines = linesOf(text);
  const placed = left.map((each) => {
    const span =
      typeof each.part === 'object' && 'text' in each.part ? each.part.text : document.spanAt(each.route, each.part);
    return { ...lines.position(span.start), text: each.text };
  });
  placed.sort((one, other) => one.line - other.line || one.column - other.column);
  return { source, path, text, document, converted, format, left: placed };
}

/** The document with its steps as wanted. */
async function withSteps(
  document: Document,
  wanted: Wanted,
  { catalogue }: CompileContext,
  left: Left[],
): Promise<Document> {
  if (wanted.engine === undefined && wanted.form === undefined && wanted.params === undefined) return document;
  const names = new Set([...COUNTERPARTS, ...namesIn(document.value)].filter(catalogue.has));
  await catalogue.prepare(names);
  const operations = new StepConverter(catalogue, wanted, (each) => void left.push(each)).file(document.value);
  if (operations.length === 0) return document;
  const { textEdits } = await import('#grammar/document/edit/edit.ts');
  const text = applyEdits(document.text, textEdits(document, operations));
  return reread(text, document.source, document.format);
}

/** Every text and key that may name a command. */
function* namesIn(value: Json): Generator<string> {
  if (typeof value === 'string') yield value;
  else if (isList(value)) for (const item of value) yield* namesIn(item);
  else if (isObject(value))
    for (const [key, item] of Object.entries(value)) {
      yield key;
      yield* namesIn(item);
    }
}

async function inFormat(
  document: Document,
  format: Document['format'],
  source: SourceId,
): Promise<{ readonly text: string; readonly after: Document }> {
  if (format === document.format) return { text: document.text, after: document };
  const [{ printJson, printYaml }, { formatDocument }] = await Promise.all([
    import('#grammar/document/print.ts'),
    import('#grammar/document/format/format.ts'),
  ]);
  const printed = `${format === 'json' ? printJson(document.value) : printYaml(document.value)}\n`;
  const text = await formatDocument(await reread(printed, source, format));
  return { text, after: await reread(text, source, format) };
}

async function reread(text: string, source: SourceId, format: Document['format']) {
  const { readDocument } = await import('#grammar/document/read.ts');
  const { document } = await readDocument(text, { source, format, limits: { bytes: Infinity } });
  if (document === undefined) throw new Error(`what ${source} was converted to cannot be read`);
  return document;
}
