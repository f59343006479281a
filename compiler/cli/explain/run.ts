import { resolve } from 'node:path';

import { didYouMean } from '#compiler/did-you-mean.ts';
import { explanations } from '#schemas/generated/explain.ts';
import { files as disk } from '#runtime/hosts/node/all-files.ts';
import * as fail from '#schemas/generated/failures.ts';
import type { ExitStatus, ParsedArguments, Terminal } from '#schemas/types/cli.ts';

import { answer } from '../answer.ts';
import { explanationText } from './view.ts';

export async function run(args: ParsedArguments, terminal: Terminal): Promise<ExitStatus> {
  const given = args.positional[0] ?? '';
  const found = explanations.find(({ code, slug }) => code === given.toUpperCase() || slug === given);
  const named = found ? undefined : fileAt(given);
  if (named && (await isThere(named.path, terminal))) {
    const { explainFile } = await import('./file.ts');
    return explainFile(named.path, named.line, args, terminal);
  }
  if (!found) {
    const near = didYouMean(
      given,
      explanations.flatMap(({ code, slug }) => [code, slug]),
    );
    throw fail.unknownCode({ code: given, ...(near.length > 0 && { help: `Did you mean ${near.join(' or ')}?` }) });
  }
  answer(found, () => explanationText(found), args, terminal);
  return 0;
}

/** `FILE` or `FILE:LINE`. */
function fileAt(given: string): { readonly path: string; readonly line?: number } {
  const [, path = given, line] = /^(.+):(\d+)$/.exec(given) ?? [];
  return { path, ...(line !== undefined && { line: Number(line) }) };
}

async function isThere(path: string, { cwd }: Terminal): Promise<boolean> {
  return (await disk.find(resolve(cwd, path)).catch(() => undefined))?.kind === 'file';
}
