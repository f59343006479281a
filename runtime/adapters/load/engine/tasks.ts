import type { LoadPlan, LoadTask } from '#schemas/types/load.ts';

/** Yields one task after the other, with the next row's values where there are rows. */
export function nextTask({ tasks, mode, rows = [] }: LoadPlan, random: () => number): () => LoadTask {
  let at = 0;
  let row = 0;
  const total = tasks.reduce((sum, { weight }) => sum + weight, 0);
  const weighted = (): LoadTask | undefined => {
    let left = random() * total;
    return tasks.find(({ weight }) => (left -= weight) < 0) ?? tasks.at(-1);
  };
  return () => {
    const task = mode === 'sequence' ? tasks[at++ % tasks.length] : weighted();
    if (!task) throw new Error('a plan without tasks');
    const values = rows.length === 0 ? undefined : rows[row++ % rows.length];
    return values ? filled(task, values) : task;
  };
}

function filled(task: LoadTask, values: Readonly<Record<string, string>>): LoadTask {
  // Where the placeholder was encoded, its value is, too.
  const fill = (text: string, escape: (value: string) => string = (value) => value): string =>
    text.replace(
      /\{\{\s*row\.([\w-]+)\s*\}\}|%7B%7B(?:%20|\+)*row\.([\w-]+)(?:%20|\+)*%7D%7D/gi,
      (written, name, other) => {
        const key = String(name ?? other);
        const value = Object.hasOwn(values, key) ? (values[key] ?? '') : undefined;
        if (value === undefined) return written;
        return name === undefined ? encodeURIComponent(value) : escape(value);
      },
    );
  // Each byte is a character meanwhile, those of a value too.
  const bytes = (encoded: string): string => {
    const text = Buffer.from(encoded, 'base64').toString('latin1');
    return Buffer.from(
      fill(text, (value) => Buffer.from(value).toString('latin1')),
      'latin1',
    ).toString('base64');
  };
  return {
    ...task,
    url: fill(task.url, encodeURIComponent),
    headers: Object.fromEntries(Object.entries(task.headers).map(([name, value]) => [name, fill(value)])),
    ...(task.fills_body && task.body_base64 !== undefined ? { body_base64: bytes(task.body_base64) } : {}),
    ...(task.body === undefined ? {} : { body: fill(task.body, inJson(task) ? escapeJson : undefined) }),
  };
}

function inJson({ headers }: LoadTask): boolean {
  return Object.entries(headers).some(([name, value]) => name.toLowerCase() === 'content-type' && /json/i.test(value));
}

function escapeJson(value: string): string {
  return JSON.stringify(value).slice(1, -1);
}
