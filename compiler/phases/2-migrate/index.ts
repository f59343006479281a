import type { Catalogue } from '#compiler/catalogue.ts';
import type { Document } from '#grammar/document/document.ts';
import { migrations } from '#schemas/generated/migrations.ts';
import { addAll } from '#grammar/source/add-all.ts';
import type { Diagnostic } from '#schemas/types/diagnostic.ts';
import type { TreeOperation } from '#schemas/types/fix.ts';

import type { Change } from './migration-step.ts';
import { walk } from './walk.ts';

export interface Migration {
  /** Changes that the verb `migrate` writes. All routes of both lists speak of the document as it was given. */
  readonly operations: readonly TreeOperation[];
  /** Changes that only the phases behind see, in one batch with the others: other names that may stay in the file. */
  readonly unwritten: readonly TreeOperation[];
  /** A warning for each old thing, once a file, with a fix that changes all of its places. */
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Finds what older files and files of the public projects write in another way. Changes nothing: the verb `migrate`
 * makes text edits of the operations, the others lay them over the tree. A second pass over the result finds nothing.
 */
export async function migrate(document: Document, catalogue: Catalogue): Promise<Migration> {
  const operations: TreeOperation[] = [];
  const unwritten: TreeOperation[] = [];
  const subjects = new Map<string, Gathered>();
  const changeOf =
    (index: number): Change =>
    ({ subject, tell, operations: wanted }) => {
      if (tell === undefined) {
        addAll(unwritten, wanted);
        return;
      }
      const key = `${index} ${subject}`;
      const gathered = subjects.get(key) ?? { tell, operations: [], count: 0 };
      // One by one: an old body may need more operations than a call takes arguments.
      for (const operation of wanted) {
        operations.push(operation);
        gathered.operations.push(operation);
      }
      gathered.count += 1;
      subjects.set(key, gathered);
    };
  const changes = migrations.map((_, index) => changeOf(index));
  await walk(document.value, document.source, catalogue, {
    body: (body) => migrations.forEach((step, index) => step.body?.(body, changes[index] ?? ignore)),
    action: (action) => migrations.forEach((step, index) => step.action?.(action, changes[index] ?? ignore)),
  });
  return { operations, unwritten, diagnostics: [...subjects.values()].map(tell) };
}

interface Gathered {
  readonly tell: NonNullable<Parameters<Change>[0]['tell']>;
  readonly operations: TreeOperation[];
  count: number;
}

const ignore: Change = () => undefined;

function tell(gathered: Gathered): Diagnostic {
  return gathered.tell(gathered.count, (title) => [{ title, safety: 'safe', operations: gathered.operations }]);
}
