import { isObject, type Json, type JsonObject } from '#schemas/types/json.ts';

import type { Unfit } from './channel.ts';
import type { FromWorker, ToWorker } from './protocol.ts';

/** Whether a value is what a field of a message holds. */
type Form = (value: unknown) => boolean;
type Fields = Readonly<Record<string, Form>>;

const text: Form = (value) => typeof value === 'string';
const flag: Form = (value) => typeof value === 'boolean';
const count: Form = (value) => typeof value === 'number' && Number.isFinite(value) && value >= 0;
const anything: Form = () => true;
const object: Form = (value) => isObject(value);
const oneOf =
  (...allowed: readonly string[]): Form =>
  (value) =>
    allowed.includes(value as string);
const optional =
  (form: Form): Form =>
  (value) =>
    value === undefined || form(value);
const listOf =
  (form: Form): Form =>
  (value) =>
    Array.isArray(value) && value.every(form);
const either =
  (...forms: readonly Form[]): Form =>
  (value) =>
    forms.some((form) => form(value));
const shape =
  (fields: Fields): Form =>
  (value) =>
    object(value) && Object.entries(fields).every(([name, form]) => form((value as JsonObject)[name]));

const status = oneOf('passed', 'failed', 'skipped');
const counts = shape({ passed: count, flaky: count, failed: count, skipped: count, dry_run: count });
const pair: Form = (value) => Array.isArray(value) && value.length === 2 && text(value[0]) && count(value[1]);

const carried = shape({
  variables: listOf(shape({ name: text, secret: flag, text: flag })),
  secrets: listOf(either(text, (value) => typeof value === 'number')),
  occurrences: listOf(pair),
});

const step = shape({ id: text, command: text, part: oneOf('setup', 'body', 'teardown') });
const error = shape({ name: text, message: text });
const record = shape({ id: text, command: text, status: oneOf('passed', 'failed', 'skipped', 'dry-run') });

/** Events by their kind; those of the whole run are the run's own. */
const events: Readonly<Record<string, Form>> = {
  'unit-started': shape({ source: text, row: optional(count), repeat: optional(count) }),
  'step-started': shape({ step }),
  'attempt-failed': shape({ step, attempt: count, error, wait_ms: count }),
  'step-finished': shape({ step, record, evidence: listOf(shape({ kind: text })) }),
  'unit-finished': shape({ source: text, status, counts, duration_ms: count }),
  notice: shape({
    level: oneOf('info', 'warning'),
    text,
    source: optional(text),
    snapshots: optional(shape({ created: listOf(text), updated: listOf(text) })),
  }),
};

const fromWorker: Readonly<Record<FromWorker['kind'], Form>> = {
  ready: anything,
  halted: anything,
  event: shape({
    event: (value) => object(value) && (events[String((value as JsonObject)['kind'])]?.(value) ?? false),
  }),
  'left-out': shape({ count }),
  cut: shape({ reason: text }),
  ended: shape({
    outcome: shape({ file: text, status, reason: optional(text), counts, duration_ms: count }),
    carried,
    lost: optional(text),
  }),
  bug: shape({ text }),
};

const program = either(shape({ file: text }), shape({ plan: object, hash: text, places: object, settings: object }));

const toWorker: Readonly<Record<ToWorker['kind'], Form>> = {
  halt: anything,
  stop: shape({ reason: text }),
  job: shape({
    program,
    source: text,
    repeat: count,
    chosen: optional(listOf(text)),
    resumedAt: optional(text),
    cwd: text,
    root: text,
    run: text,
    startedAt: count,
    seed: count,
    temporary: text,
    variables: object,
    environment: object,
    settings: object,
    flags: shape({ dryRun: flag, failFast: flag, once: flag, retries: count, repeat: count, seed: optional(count) }),
    record: optional(text),
    evidence: optional(shape({ folder: text, bounds: listOf(text) })),
    kept: optional(listOf(record)),
    carried,
    programs: optional(shape({ places: object, marks: object })),
  }),
};

/** A message of a worker, held to its form. */
export function checkFromWorker(message: Json): FromWorker | Unfit {
  return checked<FromWorker>(message, fromWorker);
}

/**
 * A message to a worker, held to its form. The content of a plan is the compiler's: it is checked where it was
 * made.
 */
export function checkToWorker(message: Json): ToWorker | Unfit {
  return checked<ToWorker>(message, toWorker);
}

function checked<Message>(message: Json, forms: Readonly<Record<string, Form>>): Message | Unfit {
  const kind = isObject(message) ? message['kind'] : undefined;
  if (typeof kind !== 'string' || !Object.hasOwn(forms, kind))
    return { unfit: 'a message is of no kind that is known' };
  return forms[kind]?.(message) === true
    ? (message as Message)
    : { unfit: `a message "${kind}" is not as it should be` };
}
