import type { JsonObject } from '#schemas/types/json.ts';

declare module '#runtime/kernel/ports.ts' {
  interface Ports {
    readonly templates: Templates;
  }
}

/** Fills templates in the syntax of Jinja. Templates run no code of the host, and end: steps and output are bounded. */
export interface Templates {
  /** Fails for a template that is broken, and for a name that the context lacks. */
  render(template: string, context: JsonObject, options: TemplateOptions): string;
}

export interface TemplateOptions {
  /** Inserted values are escaped for HTML unless they are marked as safe. */
  readonly autoescape: boolean;
}
