import type { LoadedFile } from '#compiler/api.ts';
import type { StepList } from '#compiler/phases/3-parse/ast.ts';

/** Steps that parse has read, as a golden holds them: one a line. */
export function printSteps({ file }: LoadedFile): string {
  if (file === undefined) return 'nothing\n';
  const meta = Object.keys(file.meta).length === 0 ? [] : [`meta ${JSON.stringify(file.meta)}`];
  const lists = [
    ['setup', file.setup],
    ['body', file.body],
    ['teardown', file.teardown],
  ] as const;
  const lines = lists.flatMap(([title, list]) =>
    list.steps.length === 0 && title !== 'body' ? [] : listLines(title, list),
  );
  return [`body key: ${file.bodyKey ?? 'none'}`, ...meta, ...lines, ''].join('\n');
}

function listLines(title: string, list: StepList): readonly string[] {
  const head = `${title} (${list.kind}${list.incomplete ? ', incomplete' : ''}) at ${JSON.stringify(list.route)}`;
  return [
    head,
    ...list.steps.map(
      ({ index, command, form, positional, keywords, options }) =>
        `  ${index} ${form} ${command}${part(' positional', positional)}${part(' keywords', keywords)}${part(' options', options)}`,
    ),
  ];
}

function part(title: string, value: unknown): string {
  return value === undefined ? '' : `${title} ${JSON.stringify(value)}`;
}
