/** `mcpHost.apps.domains`: which sites apps may reach, whatever their servers declare (APP-28). */
import { isObject, isString } from '../../base/json.ts';

export interface DomainRules {
  /** Undefined: all. */
  readonly allow: readonly string[] | undefined;
  /** Wins. */
  readonly deny: readonly string[];
  /** Why no site may be reached: a sentence about the setting. */
  readonly problem?: string;
}

const setting = '"mcpHost.apps.domains"';

/** @param value of the setting. @returns undefined when it says nothing; rules that allow no site where it has a mistake */
export function readDomainRules(value: unknown): DomainRules | undefined {
  if (
    value === undefined ||
    value === null ||
    (isObject(value) && Object.keys(value).length === 0)
  ) {
    return undefined;
  }
  const { allow, deny = [], ...others } = isObject(value) ? value : { allow: value };
  const allowed = allow === undefined ? undefined : domainsOf(allow);
  const denied = domainsOf(deny);
  const isWrong = (allow !== undefined && allowed === undefined) || denied === undefined;
  if (isWrong || Object.keys(others).length > 0) {
    const problem = `${setting} must be an object with lists of domains, "allow" and "deny": no site may be reached until it is`;
    return { allow: [], deny: [], problem };
  }
  return { allow: allowed, deny: denied };
}

const domainPattern = /^(?:\*\.)?([a-z0-9](?:[a-z0-9.-]*[a-z0-9])?|\[[0-9a-f:.]+\])$/u;

/** Undefined for anything but a list of domains. A domain stands for those below it, too: `*.` before it says no more. */
function domainsOf(list: unknown): readonly string[] | undefined {
  if (!Array.isArray(list)) {
    return undefined;
  }
  const domains = list.map((item: unknown) =>
    isString(item) ? domainPattern.exec(item.toLowerCase())?.[1] : undefined,
  );
  return domains.every((domain) => domain !== undefined) ? domains : undefined;
}

/**
 * Why an app may not reach an origin; undefined: it may.
 * @param origin scheme, host and port; a host that begins with `*.` stands for all below it
 */
export function whyDenied(origin: string, rules: DomainRules | undefined): string | undefined {
  const [, wildcard, host = ''] = /^[a-z]+:\/\/(\*\.)?(.*?)(?::(?:\d+|\*))?$/u.exec(origin) ?? [];
  const isDenied = (domain: string): boolean =>
    covers(domain, host) || (wildcard !== undefined && covers(host, domain));
  const isAllowed = rules?.allow?.some((domain) => covers(domain, host)) ?? true;
  if (rules === undefined || (isAllowed && !rules.deny.some(isDenied))) {
    return undefined;
  }
  return rules.problem ?? `${setting} does not allow it`;
}

function covers(domain: string, host: string): boolean {
  return host === domain || host.endsWith(`.${domain}`);
}
