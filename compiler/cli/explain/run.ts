import { didYouMean } from '#compiler/did-you-mean.ts';
import { explanations } from '#schemas/generated/explain.ts';
import * as fail from '#schemas/generated/failures.ts';
import type { ExitStatus, ParsedArguments, Terminal } from '#schemas/types/cli.ts';

import { answer } from '../answer.ts';
import { explanationText } from './view.ts';

export async function run(args: ParsedArguments, terminal: Terminal): Promise<ExitStatus> {
  const given = args.positional[0] ?? '';
  const found = explanations.find(({ code, slug }) => code === given.toUpperCase() || slug === given);
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
