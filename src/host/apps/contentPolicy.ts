/**
 * The content security policy of a view, from what its resource declares and nothing looser.
 * https://github.com/modelcontextprotocol/ext-apps/blob/main/specification/2026-01-26/apps.mdx#host-behavior
 */
import { isObject, isString } from '../../base/json.ts';
import { truncated } from '../../base/text.ts';
import type { UiCsp } from '../../mcp/types/apps.ts';
import { type DomainRules, whyDenied } from './domainRules.ts';

export interface ContentPolicy {
  /** Directive → sources; none: nothing may be reached. */
  readonly directives: ReadonlyMap<string, readonly string[]>;
  /** What counts of the declaration: the sites that the view may reach; undefined when there is none. */
  readonly csp: UiCsp | undefined;
  /** A sentence for each entry that was dropped. */
  readonly warnings: readonly string[];
}

/** Origins of one list of a declaration. */
const maxOrigins = 100;
/** Characters of a host (RFC 1035 section 2.3.4, as text). */
const maxHostChars = 253;
const lists = ['connectDomains', 'resourceDomains', 'frameDomains', 'baseUriDomains'] as const;

/**
 * Without `'self'`, which is nothing of the view's: it is the origin of the editor's page, in code-server that of the
 * workbench itself.
 * @param declared `csp` of a resource's `_meta.ui`, of any shape
 * @param rules the user's
 */
export function contentPolicy(declared: unknown, rules?: DomainRules): ContentPolicy {
  const warnings: string[] = [];
  const csp = isObject(declared) ? readCsp(declared, rules, warnings) : undefined;
  const of = (list: (typeof lists)[number]): readonly string[] => csp?.[list] ?? [];
  const code = ["'unsafe-inline'", ...of('resourceDomains')];
  const media = ['data:', ...of('resourceDomains')];
  const directives = new Map<string, readonly string[]>([
    ['default-src', []],
    ['script-src', code],
    ['style-src', code],
    ['img-src', media],
    ['media-src', media],
    ['font-src', of('resourceDomains')],
    ['connect-src', of('connectDomains')],
    ['frame-src', of('frameDomains')],
    ['base-uri', of('baseUriDomains')],
    ['object-src', []],
    ['form-action', []],
  ]);
  return { directives, csp, warnings };
}

/** As in a header, or in a `<meta>`. */
export function policyText({ directives }: Pick<ContentPolicy, 'directives'>): string {
  return [...directives]
    .map(([name, sources]) => `${name} ${sources.join(' ') || "'none'"}`)
    .join('; ');
}

function readCsp(
  declared: Readonly<Record<string, unknown>>,
  rules: DomainRules | undefined,
  warnings: string[],
): UiCsp {
  return Object.fromEntries(
    lists.flatMap((list) => {
      const given = declared[list];
      if (given === undefined || given === null) {
        return [];
      }
      if (!Array.isArray(given)) {
        warnings.push(`"${list}" is not a list and does not count`);
        return [];
      }
      const origins = new Set<string>();
      const all: readonly unknown[] = given;
      if (all.length > maxOrigins) {
        warnings.push(`"${list}": only the first ${maxOrigins} of ${all.length} count`);
      }
      for (const value of all.slice(0, maxOrigins)) {
        const origin = isString(value) ? originOf(value) : undefined;
        const denied = origin && whyDenied(origin, rules);
        if (origin === undefined || denied !== undefined) {
          const shown = truncated(JSON.stringify(value) ?? String(value), 100);
          const why =
            denied === undefined ? 'is not an origin that is allowed' : `is left out: ${denied}`;
          warnings.push(`"${list}": ${shown} ${why}`);
        } else {
          origins.add(origin);
        }
      }
      return [[list, [...origins]]];
    }),
  );
}

const loopback = /^(?:localhost|127\.0\.0\.1|\[::1\])$/u;
/** Scheme, then a name, an address in brackets or a `*.` before a name, then a port. */
const originPattern =
  /^(?<scheme>https?|wss?):\/\/(?<host>(?:\*\.)?[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?|\[[0-9a-f:.]+\])(?<port>:(?:\d{1,5}|\*))?\/?$/u;

/**
 * A source expression with exactly a scheme, a host and maybe a port, or nothing (APP-25). Made from the parts that were
 * recognized, so that no text of a server gets into a policy.
 */
function originOf(value: string): string | undefined {
  const { scheme, host = '', port = '' } = originPattern.exec(value.toLowerCase())?.groups ?? {};
  const isTopDomain = host.startsWith('*.') && !host.slice(2).includes('.');
  if (scheme === undefined || isTopDomain || host.length > maxHostChars) {
    return undefined;
  }
  const isSafe = scheme === 'https' || scheme === 'wss' || loopback.test(host);
  return isSafe ? `${scheme}://${host}${port}` : undefined;
}
