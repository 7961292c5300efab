/**
 * URI templates (RFC 6570, levels 1 to 4) as a person fills them in: their variables, the meaning of the typed texts,
 * and the resulting URI. The library expands them, but accepts anything as a template, so invalid ones are found here.
 */
import { t } from '../../base/l10n.ts';
import { parseTemplate } from 'url-template';
import { McpError } from '../../mcp/errors.ts';
import type { ArgumentTexts } from './argumentCompletion.ts';

export interface TemplateVariable {
  readonly name: string;
  /** Without it the URI would lack a part. Variables of a query, a fragment or a path suffix are optional. */
  readonly isRequired: boolean;
  /** `{list*}`: its text is a comma-separated list of values or `name=value` pairs. */
  readonly isList: boolean;
  /** `{name:3}`: only the first characters are used. */
  readonly maxLength?: number;
}

export interface UriTemplate {
  /** In order, each once. */
  readonly variables: readonly TemplateVariable[];
  /** @throws McpError `invalidInput` that names the variable with a missing or unusable value */
  expand(values: ArgumentTexts): string;
}

/** @throws McpError `invalidInput` for an invalid template, with the position of the error */
export function parseUriTemplate(template: string): UriTemplate {
  if (/\p{Cs}/u.test(template)) {
    throw invalid(template, t('it is not valid Unicode text'));
  }
  const variables = new Map<string, TemplateVariable>();
  const occurrences: TemplateVariable[] = [];
  for (const [, inner = '', stray] of template.matchAll(/\{([^{}]*)\}|(\{[^{}]*|\})/gu)) {
    if (stray !== undefined) {
      throw invalid(
        template,
        stray === '}'
          ? t('"{0}" has no opening brace', stray)
          : t('"{0}" has no closing brace', stray),
      );
    }
    for (const variable of readExpression(template, inner)) {
      occurrences.push(variable);
      const known = variables.get(variable.name);
      variables.set(variable.name, known?.isRequired === true ? known : variable);
    }
  }
  const parsed = parseTemplate(template);
  return {
    variables: [...variables.values()],
    expand(values) {
      // Without a prototype: a variable may be called "constructor".
      const context: Record<string, Value> = Object.create(null);
      for (const variable of variables.values()) {
        // Own members only: a variable may be called "constructor".
        const typed = Object.hasOwn(values, variable.name) ? values[variable.name] : undefined;
        const value = valueOf(variable, typed ?? '');
        if (value !== undefined) {
          context[variable.name] = value;
        }
      }
      occurrences.forEach((occurrence) => checkCut(occurrence, context[occurrence.name]));
      return parsed.expand(context).replaceAll(unencoded, encodeURIComponent);
    },
  };
}

/**
 * Characters that a URI must encode (RFC 3986, appendix A). Where reserved characters are allowed, the library leaves
 * all of "50%d für" unencoded, because "%d" looks like the start of an encoded character.
 */
const unencoded = /%(?![\dA-Fa-f]{2})|[^\w\-.~:/?#[\]@!$&'()*+,;=%]/gu;

type Value = string | string[] | Record<string, string>;

/** RFC 6570, 2.3. */
const varname = /^(?:\w|%[\dA-Fa-f]{2})+(?:\.(?:\w|%[\dA-Fa-f]{2})+)*$/u;

function readExpression(template: string, inner: string): readonly TemplateVariable[] {
  const operator = /^[+#./;?&]/u.exec(inner)?.[0] ?? '';
  // RFC 6570, 2.2: reserved for extensions that do not exist yet.
  const reserved = /^[=,!@|]/u.exec(inner)?.[0];
  if (reserved !== undefined) {
    throw invalid(template, t('the operator "{0}" in {1} has no meaning', reserved, `{${inner}}`));
  }
  return inner
    .slice(operator.length)
    .split(',')
    .map((text) => {
      const [, name = '', length, star] = /^(.*?)(?::([1-9]\d{0,3})|(\*))?$/su.exec(text) ?? [];
      if (!varname.test(name)) {
        throw invalid(template, t('"{0}" in {1} is not a variable', text, `{${inner}}`));
      }
      return {
        name,
        isRequired: operator === '' || operator === '+',
        isList: star !== undefined,
        ...(length === undefined ? {} : { maxLength: Number(length) }),
      };
    });
}

function valueOf({ name, isRequired, isList }: TemplateVariable, text: string): Value | undefined {
  if (text === '') {
    if (isRequired) {
      throw new McpError('invalidInput', t('The variable "{0}" needs a value', name));
    }
    return undefined;
  }
  if (/\p{Cs}/u.test(text)) {
    throw new McpError('invalidInput', t('The value of "{0}" is not valid Unicode text', name));
  }
  if (!isList) {
    return text;
  }
  const values = text
    .split(',')
    .map((value) => value.trim())
    .filter((value) => value !== '');
  return values.length > 0 && values.every((value) => /^[^=]+=/u.test(value))
    ? Object.fromEntries(
        values.map((value) => [
          value.slice(0, value.indexOf('=')),
          value.slice(value.indexOf('=') + 1),
        ]),
      )
    : values;
}

/** The library counts UTF-16 units, RFC 6570 counts characters. */
function checkCut({ name, maxLength }: TemplateVariable, value: Value | undefined): void {
  if (maxLength !== undefined && typeof value === 'string' && isPairAt(value, maxLength - 1)) {
    throw new McpError(
      'invalidInput',
      t('The value of "{0}" cannot be cut after {1} characters', name, maxLength),
    );
  }
}

/** Whether this unit and the next one are a surrogate pair. */
function isPairAt(text: string, index: number): boolean {
  return (text.codePointAt(index) ?? 0) > 0xffff;
}

function invalid(template: string, problem: string): McpError {
  return new McpError('invalidInput', t('The URI template "{0}" is wrong: {1}', template, problem));
}
