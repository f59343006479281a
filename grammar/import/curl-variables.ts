/** Variables of a curl command line: `--variable` sets them, options that begin with `--expand-` fill them in. */
export class CurlVariables {
  readonly #lost: string[];
  readonly #values = new Map<string, string>();

  constructor(lost: string[]) {
    this.#lost = lost;
  }

  /** Takes `name=content`, `%NAME` or `%NAME=content` of the environment; a file is told. */
  set(text: string): void {
    const [, isOutside, name = '', sign, content = ''] = /^(%?)(\w+)(?:([=@])(.*))?$/s.exec(text) ?? [];
    if (name === '' || sign === '@') this.#lost.push(`the variable "${text}" stands in a file`);
    else if (isOutside === '%') this.#values.set(name, `\${env:${name}${sign === undefined ? '' : `:-${content}`}}`);
    else this.#values.set(name, content);
  }

  /** A text with its variables; one that is not set is empty, as with curl. */
  expand(text: string): string {
    return text.replace(/\\?\{\{(\w+)((?::\w+)*)\}\}/g, (_, name: string, functions: string) => {
      const value = this.#values.get(name) ?? '';
      return functions
        .split(':')
        .slice(1)
        .reduce((done, one) => this.#applied(one, done), value);
    });
  }

  #applied(name: string, value: string): string {
    if (name === 'trim') return value.trim();
    if (value.includes('${env:')) this.#lost.push(`the function ${name} of a variable of the environment`);
    else if (name === 'json') return JSON.stringify(value).slice(1, -1);
    else if (name === 'url') return encodeURIComponent(value).replace(/[!'()*]/g, (sign) => encodedSign(sign));
    else if (name === 'b64') return Buffer.from(value).toString('base64');
    else this.#lost.push(`the function ${name} of a variable`);
    return value;
  }
}

function encodedSign(sign: string): string {
  return `%${sign.charCodeAt(0).toString(16).toUpperCase()}`;
}
