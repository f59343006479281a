import type { TreeOperation } from '#schemas/types/fix.ts';
import type { Json } from '#schemas/types/json.ts';
import type { Route } from '#schemas/types/place.ts';

/** Value to be put into an object or a list: a new one, or one that is taken from elsewhere in the same tree. */
export type Insertion =
  | { readonly key: string | number; readonly value: Json }
  | { readonly key: string | number; readonly from: Route };

/** All that a batch does at one value and below it. Routes are those of the tree before the batch. */
export interface Change {
  readonly route: Route;
  replacement?: { readonly value: Json };
  renamed?: string;
  /** The value goes, or is moved to another place. */
  isRemoved?: true;
  readonly texts: TextChange[];
  readonly insertions: Insertion[];
  readonly below: Map<string | number, Change>;
}

export interface TextChange {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/** The operations of a batch as a tree; those that only change text are not in it. */
export function changesOf(operations: readonly TreeOperation[]): Change {
  const root = change([]);
  for (const operation of operations) {
    switch (operation.kind) {
      case 'replace':
        changeAt(root, operation.route).replacement = { value: operation.value };
        break;
      case 'rename-key':
        changeAt(root, operation.route).renamed = operation.key;
        break;
      case 'remove':
        changeAt(root, operation.route).isRemoved = true;
        break;
      case 'insert':
        changeAt(root, operation.route).insertions.push({ key: operation.key, value: operation.value });
        break;
      case 'move':
        addMove(root, operation.route, operation.to, operation.key);
        break;
      case 'replace-text':
        changeAt(root, operation.route).texts.push(operation);
        break;
      case 'edit-text':
        break;
    }
  }
  return root;
}

function addMove(root: Change, from: Route, to: Route, key: string | number): void {
  if (from.every((step, index) => to[index] === step)) throw new RangeError('A value cannot be moved into itself.');
  changeAt(root, from).isRemoved = true;
  changeAt(root, to).insertions.push({ key, from });
}

function changeAt(root: Change, route: Route): Change {
  let at = root;
  for (const [index, step] of route.entries()) {
    let below = at.below.get(step);
    if (below === undefined) at.below.set(step, (below = change(route.slice(0, index + 1))));
    at = below;
  }
  return at;
}

function change(route: Route): Change {
  return { route, texts: [], insertions: [], below: new Map() };
}

/** The change at a route of the tree before the batch; undefined where there is none at or below it. */
export function findChange(root: Change, route: Route): Change | undefined {
  let at: Change | undefined = root;
  for (const step of route) at = at?.below.get(step);
  return at;
}

/** A text value after its changes, which are given by offsets in the old one. Equal changes count once. */
export function changedText(text: string, changes: readonly TextChange[]): string {
  let result = '';
  let from = 0;
  for (const one of changes.toSorted((left, right) => left.from - right.from || left.to - right.to)) {
    if (one.from < from) continue;
    result += text.slice(from, one.from) + one.text;
    from = one.to;
  }
  return result + text.slice(from);
}
