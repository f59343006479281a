const block = /\{#[\s\S]*?#\}|\{%([-+]?)\s*raw\s*(-?)%\}([\s\S]*?)\{%(-?)\s*endraw\s*([-+]?)%\}/g;

/**
 * The template with each text between `{% raw %}` and `{% endraw %}`, which the library does not know, as a
 * text that it writes as it is.
 */
export function withoutRaw(template: string): string {
  return template.replace(
    block,
    (whole, before: string | undefined, trimStart: string, content: string, trimEnd: string, after: string) => {
      if (before === undefined) return whole;
      const started = trimStart === '-' ? content.trimStart() : content;
      const text = trimEnd === '-' ? started.trimEnd() : started;
      return `{{${before === '-' ? '-' : ''} "${text.replace(/[\\"]/g, '\\$&')}" | safe ${after === '-' ? '-' : ''}}}`;
    },
  );
}
