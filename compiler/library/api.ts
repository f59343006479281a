/**
 * `svc/api`: functions for programs about requests, specifications, contracts and trends. Names are those of the
 * specification. Required parameters stand in order, the others in one object at the end. Errors reject with a
 * `Failure`, whose `name` is the specification's.
 */
export { Failure, type FailureFacts } from '#schemas/types/failure.ts';
export type { CallParameters } from '#compiler/engine/call.ts';
export { Session } from './session.ts';
export type { SessionOptions } from '#compiler/engine/unit-session.ts';
export * from './api/actions.ts';
export * from './api/ai.ts';
export { call } from './api/call.ts';
export * from './api/clients.ts';
export * from './api/contracts.ts';
export * from './api/data.ts';
export { dns_override } from './api/dns.ts';
export * from './api/files.ts';
export * from './api/imports.ts';
export * from './api/load.ts';
export * from './api/mock-controls.ts';
export * from './api/mocks.ts';
export * from './api/records.ts';
export * from './api/reports.ts';
export * from './api/requests.ts';
export * from './api/retry.ts';
export * from './api/specifications.ts';
export * from './api/tapes.ts';
export * from './api/trends.ts';
export * from './api/xml.ts';
export {
  init_tracing,
  instrument_request,
  is_otel_available,
  shutdown_tracing,
  type TracingOptions,
} from './tracing.ts';

// Ports that types above speak of: their declarations join the kernel's where they are loaded.
export type {} from '#runtime/adapters/http/port.ts';
export type {} from '#runtime/adapters/xml/port.ts';
export type {} from '#runtime/services/request-log/port.ts';
