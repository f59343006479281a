import type { SelectorPart } from './ast.ts';
import { readText } from './text.ts';

/** A part as Playwright's selectors write it. */
export function engineText({ engine, body, captured }: Pick<SelectorPart, 'engine' | 'body' | 'captured'>): string {
  return `${captured ? '*' : ''}${spelt(engine, body)}`;
}

function spelt(engine: string, body: string): string {
  switch (engine) {
    case 'deep_css':
      return `css=${body}`;
    case 'label':
      return `internal:label=${matched(body)}`;
    case 'placeholder':
      return `internal:attr=[placeholder=${matched(body)}]`;
    case 'test_id':
      return `internal:testid=[data-testid=${matched(body, 's')}]`;
    default:
      return `${engine}=${body}`;
  }
}

/** A text to compare with. `i`: anywhere and in any letter case; `s`: exactly. */
export function matched(body: string, otherwise: 'i' | 's' = 'i'): string {
  const match = readText(body);
  switch (match.kind) {
    case 'pattern':
      return `/${match.source}/${match.flags}`;
    case 'exact':
      return `${quoted(match.text)}s`;
    case 'contains':
      return `${quoted(match.text)}${otherwise}`;
  }
}

/** Quoted as attribute selectors have it: backslashes and quotes escaped. */
function quoted(text: string): string {
  return `"${text.replace(/["\\]/g, '\\$&')}"`;
}
