export interface WorkflowCommand {
  readonly name: 'error' | 'warning' | 'notice';
  /** In the order in which they are written. */
  readonly properties: Readonly<Record<string, string | number | null | undefined>>;
  readonly message: string;
}

/**
 * A workflow command of GitHub Actions, which other build servers know too: one line without its end. Properties that
 * are not given stay out.
 */
export function workflowCommand({ name, properties, message }: WorkflowCommand): string {
  const given = Object.entries(properties).filter(([, value]) => value !== undefined && value !== null && value !== '');
  const told = given.map(([key, value]) => `${key}=${property(String(value))}`).join(',');
  return `::${name}${told === '' ? '' : ` ${told}`}::${data(message)}`;
}

function data(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function property(text: string): string {
  return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
