import * as fail from '#schemas/generated/failures.ts';
import type { JsonObject } from '#schemas/types/json.ts';

import { equalJson } from '../equal-json.ts';
import type { RequestRecord } from './request-record.ts';

const SOURCES = ['api', 'load', 'browser'] as const;
const PHASES = ['functional', 'load', 'synthetic'] as const;

/** Identity of a run: what every one of its records says of it. */
export interface RunIdentity {
  readonly source: (typeof SOURCES)[number];
  readonly phase: (typeof PHASES)[number];
  /** Name of the program that sends the requests. */
  readonly engine: string;
  readonly worker_id?: string | null;
  /** A random UUID unless given. */
  readonly run_id?: string | null;
}

/** The owner of the records of one run. Fails with `RequestRecordError` for an identity that no record could have. */
export class RunContext implements Required<RunIdentity> {
  readonly source: RunIdentity['source'];
  readonly phase: RunIdentity['phase'];
  readonly engine: string;
  readonly worker_id: string | null;
  readonly run_id: string;
  readonly #records = new Map<string, RequestRecord>();

  constructor({ source, phase, engine, worker_id = null, run_id = null, ...others }: RunIdentity) {
    const [unknown] = Object.keys(others);
    if (unknown !== undefined) throw fail.requestRecord({ place: unknown, reason: 'is no field of a run' });
    oneOf('source', source, SOURCES);
    oneOf('phase', phase, PHASES);
    for (const [place, value] of Object.entries({ engine, worker_id, run_id })) {
      if (typeof value !== 'string' && (value !== null || place === 'engine'))
        throw fail.requestRecord({ place, reason: 'is no text' });
      if (value === '' && place !== 'worker_id') throw fail.requestRecord({ place, reason: 'is empty' });
    }
    this.source = source;
    this.phase = phase;
    this.engine = engine;
    this.worker_id = worker_id;
    this.run_id = run_id ?? crypto.randomUUID();
  }

  /**
   * Adds a record that was checked; false: the same one is there. Fails for one of another run, and for the same id
   * with other content.
   */
  add(record: RequestRecord): boolean {
    for (const key of ['run_id', 'source', 'phase', 'engine', 'worker_id'] as const)
      if (record[key] !== this[key])
        throw fail.requestRecord({ place: key, reason: `is "${record[key]}", and that of the run "${this[key]}"` });
    const known = this.#records.get(record.record_id);
    if (known === undefined) {
      this.#records.set(record.record_id, record);
      return true;
    }
    if (!equalJson(known, record))
      throw fail.requestRecord({ place: 'record_id', reason: 'is that of a record with other content' });
    return false;
  }

  /** Copies of the records in the order in which they were added. */
  records(): RequestRecord[] {
    return [...this.#records.values()].map((record) => structuredClone(record));
  }

  /** Fields that every record of the run has. */
  identity(): JsonObject {
    const { source, phase, engine, worker_id, run_id } = this;
    return { source, phase, engine, worker_id, run_id };
  }
}

function oneOf(place: string, value: string, allowed: readonly string[]): void {
  if (!allowed.includes(value))
    throw fail.requestRecord({ place, reason: `is "${value}"; allowed are ${allowed.toSorted().join(', ')}` });
}
