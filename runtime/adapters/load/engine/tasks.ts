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
  const fill = (text: string, escape: (value: string) => string = (value) => value): string =>
    text.replace(
      /\{\{\s*row\.([\w-]+)\s*\}\}|%7B%7B(?:%20|\+)*row\.([\w-]+)(?:%20|\+)*%7D%7D/gi,
      (written, name, other) => {
        const key = String(name ?? other);
        return Object.hasOwn(values, key) ? escape(values[key] ?? '') : written;
      },
    );
  return {
    ...task,
    url: fill(task.url, encodeURIComponent),
    headers: Object.fromEntries(Object.entries(task.headers).map(([name, value]) => [name, fill(value)])),
    ...(task.body === undefined ? {} : { body: fill(task.body, inJson(task) ? escapeJson : undefined) }),
  };
}

function inJson({ headers }: LoadTask): boolean {
  return Object.entries(headers).some(([name, value]) => name.toLowerCase() === 'content-type' && /json/i.test(value));
}

function escapeJson(value: string): string {
  return JSON.stringify(value).slice(1, -1);
}
