import * as fail from '#schemas/generated/failures.ts';
import type { Json, JsonObject } from '#schemas/types/json.ts';

const placeholder = /\$(?:(\$)|([A-Za-z_][A-Za-z0-9_]*)|\{([A-Za-z_][A-Za-z0-9_]*)\}|)/g;

/** Fills `$name` and `${name}`; `$$` is a dollar sign, and any other one is a failure. */
export function renderSimple(template: string, context: JsonObject): string {
  return template.replace(
    placeholder,
    (_whole, dollar: string | undefined, plain: string | undefined, braced: string | undefined, at: number) => {
      if (dollar !== undefined) return '$';
      const name = plain ?? braced;
      if (name === undefined) throw fail.templateDollar({ line: template.slice(0, at).split('\n').length });
      if (!Object.hasOwn(context, name)) throw fail.templateNameUnknown({ name });
      return textOf((context as Readonly<Record<string, Json>>)[name] ?? null);
    },
  );
}

/** Null is nothing; what is no text is written as JSON. */
function textOf(value: Json): string {
  if (value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
