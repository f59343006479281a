import type { JsonObject } from '#schemas/types/json.ts';
import { command } from '#stdlib/command.ts';

export const FA_audit_open = command('FA_audit_open', ({ db_path, actor }, ctx) => ctx.audit.open(db_path, actor));

export const FA_audit_close = command('FA_audit_close', (_params, ctx) => ctx.audit.close());

export const FA_audit_record = command('FA_audit_record', ({ action, actor, status, duration_ms, detail }, ctx) =>
  ctx.audit.record({ action, actor, status, duration_ms, detail: detail as JsonObject }),
);

export const FA_audit_recent = command('FA_audit_recent', ({ limit, ...filter }, ctx) =>
  ctx.audit.recent(limit, filter),
);

export const FA_audit_count = command('FA_audit_count', (filter, ctx) => ctx.audit.count(filter));

export const FA_audit_purge = command('FA_audit_purge', ({ older_than_seconds }, ctx) =>
  ctx.audit.purge(older_than_seconds),
);
