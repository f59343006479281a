import { isDiagnostic, readable } from './check.ts';
import type { Message } from './read.ts';

/** `explain.ts`: every section whole, loaded only by `svc explain`; `codes.ts`: what completion and tests list. */
export function explainModule(messages: readonly Message[]): string {
  const sections = messages.map((message) => ({
    code: message.code,
    slug: message.slug,
    kind: isDiagnostic(message) ? 'diagnostic' : 'failure',
    ...message.metadata,
    message: readable(message.text),
    text: message.prose,
    bad: message.bad,
    good: message.good,
  }));
  return `// Generated from schemas/messages by \`npm run generate\`. Do not edit.
import type { Explanation } from '../types/explanation.ts';

export const explanations: readonly Explanation[] = ${JSON.stringify(sections, null, 1)};
`;
}

export function codesModule(messages: readonly Message[]): string {
  const rows = messages.map(
    (message) =>
      `  [${JSON.stringify(message.code)}, ${JSON.stringify(message.slug)}, ${JSON.stringify(message.metadata.severity ?? 'failure')}],`,
  );
  return `// Generated from schemas/messages by \`npm run generate\`. Do not edit.
/** Code, slug, and severity (\`failure\` for what happens at run time), in order of code. */
export const codes: readonly (readonly [code: string, slug: string, severity: 'error' | 'warning' | 'info' | 'hint' | 'failure'])[] = [
${rows.join('\n')}
];
`;
}
