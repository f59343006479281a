/**
 * `svc/browser`: browsers for programs, and the functions that stand beside browser tests: runs, checks of pages,
 * authoring of action files. Names are those of the commands without `WR_`. Required parameters stand in order, the
 * others in one object at the end. What goes wrong rejects with a `Failure`.
 */
export { Failure, type FailureFacts } from '#schemas/types/failure.ts';
export { call, type CallParameters } from '#compiler/engine/call.ts';
export { execute_action, execute_files } from './execute.ts';
export { Session } from './session.ts';
export type { SessionOptions } from '#compiler/engine/unit-session.ts';
export { BrowserSession, type BrowserOptions } from './browser/browser-session.ts';
export * from './browser/authoring.ts';
export * from './browser/checks.ts';
export * from './browser/runs.ts';
