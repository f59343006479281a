import * as fail from '#schemas/generated/failures.ts';
import type { JsonObject } from '#schemas/types/json.ts';
import { command } from '#stdlib/command.ts';
import { hasExtension } from '#stdlib/files/extension.ts';
import { wholeText } from '#stdlib/files/text-decoding.ts';

import { renderSimple } from './render-simple.ts';

/** Largest template file. */
const LARGEST = 16 * 1024 * 1024;
const rich = ['j2', 'jinja', 'jinja2'] as const;
const markup = ['html', 'htm', 'xhtml', 'xml'] as const;

export const FA_template_render = command(
  'FA_template_render',
  ({ template, context, rich: isRich, autoescape }, ctx) =>
    isRich
      ? ctx.templates.render(template, context as JsonObject, { autoescape })
      : renderSimple(template, context as JsonObject),
);

export const FA_template_render_file = command('FA_template_render_file', async (params, ctx) => {
  const { template_path, context, output_path } = params;
  const found = await ctx.files.find(template_path);
  if (found?.kind !== 'file') throw fail.templateNotFound({ path: template_path });
  if (found.size > LARGEST) throw fail.templateTooMuch({});
  const template = await wholeText(ctx, template_path, { encoding: 'utf-8', refuse: fail.templateNotText });
  const engine = rich.find((extension) => hasExtension(template_path, extension));
  const name = output_path ?? (engine === undefined ? template_path : template_path.slice(0, -engine.length - 1));
  const autoescape = params.autoescape ?? markup.some((extension) => hasExtension(name, extension));
  const isRich = params.rich ?? engine !== undefined;
  const text = isRich
    ? ctx.templates.render(template, context as JsonObject, { autoescape })
    : renderSimple(template, context as JsonObject);
  if (output_path !== null)
    await ctx.files.write(output_path, text, { parents: true, durable: ctx.durable, signal: ctx.signal });
  return text;
});
