import { addAll } from '#grammar/source/add-all.ts';
import type { Ports } from '#runtime/kernel/ports.ts';

type Element = Exclude<ReturnType<Ports['xml']['read']>, string>;

export interface JunitFailure {
  readonly message: string;
  readonly title: string | null;
  readonly file: string | null;
  readonly line: number | null;
}

/** Failures and errors of the test cases at any depth, in their order. */
export function failuresIn(root: Element): readonly JunitFailure[] {
  const found: JunitFailure[] = [];
  const waiting: Element[] = [root];
  for (let element = waiting.pop(); element; element = waiting.pop()) {
    if (element.name === 'testcase') addAll(found, failuresOf(element));
    addAll(waiting, element.children.toReversed());
  }
  return found;
}

function failuresOf({ attributes: own, children }: Element): readonly JunitFailure[] {
  const line = /^\d+$/.test(own['line'] ?? '') ? Number(own['line']) : null;
  return children
    .filter(({ name }) => name === 'failure' || name === 'error')
    .map(({ attributes, text }) => ({
      message: attributes['message'] || text.trim() || 'test failed',
      title: own['name'] || own['classname'] || null,
      file: own['file'] || null,
      line,
    }));
}
