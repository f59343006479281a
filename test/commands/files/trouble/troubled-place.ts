import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, expect } from 'vitest';

import type { Json } from '#schemas/types/json.ts';
import type { RunRecord } from '#schemas/types/record.ts';

import { runActions } from '../run-actions.ts';

export type Action = readonly [string, Readonly<Record<string, Json>>];

/** Folders of one test that looks for trouble, and the ways to run commands there. */
export class TroubledPlace {
  /** Folder in which commands work. */
  root = '';
  /** Folder of the actions themselves, which all users may write. */
  elsewhere = '';

  /** A place that is made anew before each test of the file. */
  static ofEachTest(): TroubledPlace {
    const place = new TroubledPlace();
    beforeEach(() => {
      place.root = mkdtempSync(join(tmpdir(), 'svc-trouble-'));
      place.elsewhere = mkdtempSync(join(tmpdir(), 'svc-actions-'));
      chmodSync(place.elsewhere, 0o777);
    });
    afterEach(() => {
      for (const folder of [place.root, place.elsewhere]) rmSync(folder, { recursive: true, force: true });
    });
    return place;
  }

  at(...names: string[]): string {
    return join(this.root, ...names);
  }

  names(folder = this.root): string[] {
    return readdirSync(folder, { recursive: true }).map(String).sort();
  }

  /** The records of actions, each run whatever became of the one before. */
  async records(...actions: readonly Action[]): Promise<readonly RunRecord[]> {
    const ran = await runActions(this.elsewhere, actions);
    expect(ran.errors).toEqual([]);
    return ran.records;
  }

  async one(...action: Action): Promise<RunRecord> {
    const [record] = await this.records(action);
    if (record === undefined) throw new Error('nothing was recorded');
    return record;
  }

  async result(...action: Action): Promise<Json | undefined> {
    const record = await this.one(...action);
    expect([action[0], record.error]).toEqual([action[0], undefined]);
    return record.result;
  }
}

/** Each command, with the code of its failure. */
export function codes(all: readonly RunRecord[]): string[] {
  return all.map(({ command, error }) => `${command} ${error?.code ?? 'passed'}`);
}

/** The system's names for the errors that these failures tell. */
const causes: Readonly<Record<string, string>> = {
  SVC85004: 'EACCES',
  SVC85005: 'ENOSPC',
  SVC85006: 'EROFS',
  SVC85007: 'ENAMETOOLONG',
  SVC86409: 'ECHANGED',
};
/** The failure itself, or what it says it came from. */
export const says = ({ error }: RunRecord, code: string): boolean =>
  error?.code === code ||
  error?.cause?.code === code ||
  (error?.cause?.message.startsWith(`${causes[code]}:`) ?? false);
