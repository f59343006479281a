/**
 * Keys under which a file may hold its actions; any other key that begins with `svc_` does as well
 * (`compiler/language/files.md`).
 */
export const BODY_KEYS = ['actions', 'nodes', 'svc', 'webdriver_wrapper'];

/** Keys of older files. Alone they have been migrated; beside another body they are one body too many. */
const OLD_BODY_KEYS = ['api_testka', 'auto_control'];

export function isBodyKey(key: string): boolean {
  return BODY_KEYS.includes(key) || OLD_BODY_KEYS.includes(key) || key.startsWith('svc_');
}

/** Options that may stand beside a command (`compiler/language/steps.md`). */
export const STEP_OPTIONS = [
  'id',
  'name',
  'tags',
  'depends_on',
  'when',
  'expect',
  'save_as',
  'retry',
  'timeout_s',
  'on_failure',
] as const;
export type StepOption = (typeof STEP_OPTIONS)[number];

const stepOptions: ReadonlySet<string> = new Set(STEP_OPTIONS);

export function isStepOption(key: string): key is StepOption {
  return stepOptions.has(key);
}
