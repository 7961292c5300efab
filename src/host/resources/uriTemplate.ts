/**
 * URI templates (RFC 6570, levels 1 to 4) as a person fills them in: which variables there are, what
 * the text typed for one stands for, and the URI that comes of it. Expansion is the library's; it takes
 * anything for a template, so what is none is found out here.
 */
import { parseTemplate } from 'url-template';
import { McpError } from '../../mcp/errors.ts';
import type { ArgumentTexts } from './argumentCompletion.ts';

export interface TemplateVariable {
  readonly name: string;
  /** Without it the URI would lack a part. Variables of a query, a fragment or a path suffix may be left out. */
  readonly isRequired: boolean;
  /** `{list*}`: its text is several values with commas between them, or `name=value` pairs. */
  readonly isList: boolean;
  /** `{name:3}`: only so many characters are used. */
  readonly maxLength?: number;
}

export interface UriTemplate {
  /** In their order, each once. */
  readonly variables: readonly TemplateVariable[];
  /** @throws McpError `invalidInput` that names the variable whose value is missing or cannot be used */
  expand(values: ArgumentTexts): string;
}

/** @throws McpError `invalidInput` for a text that is no template, with the place that is wrong */
export function parseUriTemplate(template: string): UriTemplate {
  if (/\p{Cs}/u.test(template)) {
    throw invalid(template, 'it is no Unicode text');
  }
  const variables = new Map<string, TemplateVariable>();
  const occurrences: TemplateVariable[] = [];
  for (const [, inner = '', stray] of template.matchAll(/\{([^{}]*)\}|(\{[^{}]*|\})/gu)) {
    if (stray !== undefined) {
      throw invalid(template, `"${stray}" ${stray === '}' ? 'ends nothing' : 'does not end'}`);
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
        // "{constructor}" is no member that every object has.
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
 * What no URI has as it is (RFC 3986, appendix A). The library leaves all of "50%d für" alone where reserved
 * characters may stay, for the sake of what looks like the code of a character.
 */
const unencoded = /%(?![\dA-Fa-f]{2})|[^\w\-.~:/?#[\]@!$&'()*+,;=%]/gu;

type Value = string | string[] | Record<string, string>;

/** RFC 6570, 2.3. */
const varname = /^(?:\w|%[\dA-Fa-f]{2})+(?:\.(?:\w|%[\dA-Fa-f]{2})+)*$/u;

function readExpression(template: string, inner: string): readonly TemplateVariable[] {
  const operator = /^[+#./;?&]/u.exec(inner)?.[0] ?? '';
  // RFC 6570, 2.2: kept for extensions that do not exist.
  const reserved = /^[=,!@|]/u.exec(inner)?.[0];
  if (reserved !== undefined) {
    throw invalid(template, `the operator "${reserved}" in {${inner}} has no meaning`);
  }
  return inner
    .slice(operator.length)
    .split(',')
    .map((text) => {
      const [, name = '', length, star] = /^(.*?)(?::([1-9]\d{0,3})|(\*))?$/su.exec(text) ?? [];
      if (!varname.test(name)) {
        throw invalid(template, `"${text}" in {${inner}} is no variable`);
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
      throw new McpError('invalidInput', `The variable "${name}" needs a value`);
    }
    return undefined;
  }
  if (/\p{Cs}/u.test(text)) {
    throw new McpError('invalidInput', `The value of "${name}" is no Unicode text`);
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

/** The library counts units of UTF-16, where RFC 6570 means characters. */
function checkCut({ name, maxLength }: TemplateVariable, value: Value | undefined): void {
  if (maxLength !== undefined && typeof value === 'string' && isPairAt(value, maxLength - 1)) {
    throw new McpError(
      'invalidInput',
      `The value of "${name}" cannot be cut after ${maxLength} characters`,
    );
  }
}

/** Whether the unit at this place and the next one are two halves of one character. */
function isPairAt(text: string, index: number): boolean {
  return (text.codePointAt(index) ?? 0) > 0xffff;
}

function invalid(template: string, problem: string): McpError {
  return new McpError('invalidInput', `The URI template "${template}" is wrong: ${problem}`);
}
