import { pageAnswered, pageObjectExists } from '#schemas/generated/failures.ts';
import { command } from '#stdlib/command.ts';

import { pageObject } from './page-object.ts';

export const WR_generate_pom_from_html = command('WR_generate_pom_from_html', ({ html, class_name }, ctx) =>
  pageObject(class_name, ctx.html.elements(html)),
);

export const WR_generate_pom_from_url = command(
  'WR_generate_pom_from_url',
  async ({ url, class_name, timeout }, ctx) => {
    const answer = await ctx.http.send({
      method: 'GET',
      url: new URL(url),
      headers: { accept: 'text/html' },
      timeout_ms: timeout * 1000,
      signal: ctx.signal,
      follow: true,
    });
    if (answer.status >= 400) throw pageAnswered({ url, status: answer.status });
    return pageObject(class_name, ctx.html.elements(new TextDecoder().decode(answer.body)));
  },
);

export const WR_write_pom_to_file = command('WR_write_pom_to_file', async ({ source, output_path, overwrite }, ctx) => {
  if (!overwrite && (await ctx.files.find(output_path))) throw pageObjectExists({ path: output_path });
  await ctx.files.write(output_path, source, { parents: true, durable: ctx.durable, signal: ctx.signal });
  return output_path;
});
