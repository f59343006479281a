import type { Exchanges } from './fields.ts';

export interface Badge {
  readonly schemaVersion: 1;
  readonly label: string;
  readonly message: string;
  readonly color: 'brightgreen' | 'yellow' | 'red';
}

export function badge(label: string, { passed, failed }: Pick<Exchanges, 'passed' | 'failed'>): Badge {
  const all = passed.length + failed.length;
  const [message, color] =
    all === 0
      ? (['no data', 'yellow'] as const)
      : failed.length === 0
        ? ([`${passed.length} passing`, 'brightgreen'] as const)
        : ([`${passed.length}/${all} passing`, 'red'] as const);
  return { schemaVersion: 1, label, message, color };
}
