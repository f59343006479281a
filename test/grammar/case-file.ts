import { readFile, writeFile } from 'node:fs/promises';

import { expect } from 'vitest';

import type { Document } from '#grammar/document/document.ts';
import { textEdits } from '#grammar/document/edit/edit.ts';
import { readDocument } from '#grammar/document/read.ts';
import { applyEdits } from '#grammar/source/edit.ts';
import { isObject } from '#schemas/types/json.ts';
import type { Json, JsonObject } from '#schemas/types/json.ts';

/** One case of a `cases.yaml`: an input, and what it gives. */
export interface Case {
  readonly name: string;
  readonly input: string;
  readonly given: JsonObject;
  readonly gives: Json | undefined;
  readonly index: number;
}

/** The cases of a file: a list of `{name?, input, gives, …}`. Names and inputs are used once. */
export async function casesOf(file: URL): Promise<readonly Case[]> {
  const { value } = await read(file);
  if (!Array.isArray(value)) throw new Error(`${file.pathname} holds no list.`);
  return (value as readonly Json[]).map((given, index) => {
    if (!isObject(given) || typeof given['input'] !== 'string')
      throw new Error(`${file.pathname}: case ${index} has no input.`);
    const { name, input, gives } = given;
    return { name: typeof name === 'string' ? name : input, input, given, gives, index };
  });
}

/** Compares with what the case gives; with `UPDATE=1` writes that instead, keeping the file's layout. */
export async function settle(file: URL, one: Case, actual: Json): Promise<void> {
  if (process.env['UPDATE'] !== '1') {
    expect(actual).toEqual(one.gives);
    return;
  }
  const document = await read(file);
  const kind = one.gives === undefined ? 'insert' : 'replace';
  const operation =
    kind === 'insert'
      ? ({ kind, route: [one.index], key: 'gives', value: actual } as const)
      : ({ kind, route: [one.index, 'gives'], value: actual } as const);
  await writeFile(file, applyEdits(document.text, textEdits(document, [operation])));
}

async function read(file: URL): Promise<Document> {
  const { document, diagnostics } = await readDocument(await readFile(file), { source: file.pathname });
  if (document === undefined || diagnostics.length > 0)
    throw new Error(`${file.pathname}: ${diagnostics.map(({ message }) => message).join(' ')}`);
  return document;
}
