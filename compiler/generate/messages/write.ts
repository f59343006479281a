import type { Mistakes } from '../mistakes.ts';
import type { Outputs } from '../outputs.ts';

import { checkMessages } from './check.ts';
import { diagnosticsModule, failuresModule } from './constructors.ts';
import { codesModule, explainModule } from './explain.ts';
import type { Message } from './read.ts';
import { readMessages } from './read.ts';

/** `schemas/messages/*.md` → constructors of diagnostics and failures, and what `svc explain` prints. */
export function writeMessages(root: string, outputs: Outputs, mistakes: Mistakes): readonly Message[] {
  const messages = checkMessages(readMessages(root, mistakes), mistakes);
  outputs.add('diagnostics.ts', diagnosticsModule(messages), 'built');
  outputs.add('failures.ts', failuresModule(messages), 'built');
  outputs.add('explain.ts', explainModule(messages), 'built');
  outputs.add('codes.ts', codesModule(messages), 'built');
  return messages;
}
