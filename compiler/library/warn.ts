import { outgoing } from '#runtime/reporters/outgoing.ts';

/** Tells of what went wrong beside the work, as a warning of the process, which programs can listen to. */
export function warn(error: unknown, kind: 'AuditWarning' | 'ConfigWarning' | 'PluginWarning' | 'RetryWarning'): void {
  process.emitWarning(outgoing(error instanceof Error ? error.message : String(error), 'people'), kind);
}
