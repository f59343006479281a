/**
 * `svc/files`: functions and classes for programs. Names are those of the specification. Required parameters
 * stand in order, the others in one object at the end. Errors reject with a `Failure`, whose `name` is the
 * specification's.
 */
export { Failure, type FailureFacts } from '#schemas/types/failure.ts';
export { call, type CallParameters } from '#compiler/engine/call.ts';
export { Session } from './session.ts';
export type { Functions, Given, OwnFunction, SessionOptions } from '#compiler/engine/unit-session.ts';
export type { SharedOptions } from './shared-session.ts';
export * from './execute.ts';
export * from './paths.ts';
export * from './action-files.ts';
export * from './action-executor.ts';
export * from './diff.ts';
export * from './find.ts';
export * from './grep.ts';
export * from './crypto.ts';
export * from './file-versioner.ts';
export * from './integrity-monitor.ts';
export * from './http-address.ts';
export * from './notify/manager.ts';
export * from './audit-log.ts';
export * from './metrics.ts';
export * from './tracing.ts';
export * from './retry.ts';
export * from './quota.ts';
export * from './circuit-breaker.ts';
export * from './rate-limiter.ts';
export * from './locks.ts';
export * from './progress.ts';
export * from './schedule.ts';
export * from './watch.ts';
export * from './config.ts';
export * from './secrets.ts';
export * from './project.ts';
export * from './plugins.ts';
export * from './servers.ts';
export * from './remote/connection.ts';
export * from './remote/clients.ts';
export * from './remote/filesystem.ts';
export * from './remote/walk-and-upload.ts';
export * from './remote/http-action-client.ts';
export * from './remote/action-acl.ts';

// Ports that types above speak of: their declarations join the kernel's where they are loaded.
export type {} from '#runtime/adapters/http/port.ts';
export type {} from '#runtime/adapters/mail/port.ts';
export type {} from '#runtime/adapters/outbound/port.ts';
