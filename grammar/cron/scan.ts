import { FIELDS, cronOf, valueOf } from './ast.ts';
import type { Cron, CronField, CronPart, FieldRange } from './ast.ts';

/** Reads a well-formed cron text without the grammar; undefined for any other. */
export function scanCron(text: string): Cron | undefined {
  const words = text.trim().split(/[ \t]+/);
  if (words.length !== FIELDS.length) return undefined;
  const fields: CronField[] = [];
  for (const [index, field] of FIELDS.entries()) {
    const parts = (words[index] ?? '').split(',').map((part) => scanPart(part, field));
    if (parts.includes(undefined)) return undefined;
    fields.push(parts.filter((part) => part !== undefined));
  }
  return cronOf(fields);
}

function scanPart(text: string, field: FieldRange): CronPart | undefined {
  const [, base = '', end, stepText] = /^(\*|[0-9A-Za-z]+)(?:-([0-9A-Za-z]+))?(?:\/([0-9]{1,4}))?$/.exec(text) ?? [];
  const step = stepText === undefined ? undefined : Number(stepText);
  if (step === 0) return undefined;
  const stepped = step === undefined ? {} : { step };
  if (base === '*')
    return end === undefined ? { kind: 'any', from: field.first, to: field.last, ...stepped } : undefined;
  const from = valueOf(base, field);
  if (from === undefined) return undefined;
  if (end === undefined) return { kind: 'value', from, to: step === undefined ? from : field.last, ...stepped };
  const to = valueOf(end, field);
  return to === undefined || to < from ? undefined : { kind: 'range', from, to, ...stepped };
}
