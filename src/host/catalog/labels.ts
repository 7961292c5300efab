/** What people see as the name of a listed item. Calls and references always use `name` itself. */

interface Named {
  readonly name: string;
  readonly title?: string;
  readonly annotations?: { readonly title?: string } | object;
  readonly uri?: string;
  readonly uriTemplate?: string;
}

/**
 * `title`, for tools then `annotations.title`, then `name` (schema of revision 2025-11-25,
 * BaseMetadata.title). Blank ones do not count; where all are, the URI is shown.
 */
export function displayLabel(item: Named): string {
  const { annotations } = item;
  const annotated =
    annotations !== undefined && 'title' in annotations ? annotations.title : undefined;
  const { title, name, uri, uriTemplate } = item;
  return [title, annotated, name, uri, uriTemplate].find(isText) ?? '…';
}

function isText(value: string | undefined): value is string {
  return typeof value === 'string' && value.trim() !== '';
}
