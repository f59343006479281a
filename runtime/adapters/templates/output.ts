import type { Node } from './library.ts';

/** An expression whose value is written: the parser does not tell it from one inside another. */
export interface OutputNode extends Node {
  readonly type: 'Output';
  readonly expression: Node;
}

const statements: ReadonlySet<string> = new Set([
  'Set',
  'If',
  'For',
  'Macro',
  'CallStatement',
  'FilterStatement',
  'Break',
  'Continue',
  'Comment',
  'StringLiteral',
]);
const bodies = ['body', 'alternate', 'defaultBlock'] as const;

/** Marks, in all bodies of a program, the expressions whose values are written, and the rounds of loops. */
export function markOutput(program: Node): void {
  const open: Node[] = [program];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    for (const name of bodies) {
      const body = (node as Partial<Record<(typeof bodies)[number], unknown>>)[name];
      if (!Array.isArray(body)) continue;
      const list = body as Node[];
      // So that each round of a loop counts as a step, also where its body is empty.
      if (node.type === 'For' && name === 'body') list.unshift({ type: 'Comment' });
      list.forEach((child, index) => {
        if (statements.has(child.type)) open.push(child);
        else list[index] = { type: 'Output', expression: child } as OutputNode;
      });
    }
  }
}
