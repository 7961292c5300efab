/** The visible name of a listed item. Calls and references always use `name` itself. */
import { isUnseen, visibleWhole } from '../../base/visible.ts';

interface Named {
  readonly name: string;
  readonly title?: string;
  readonly annotations?: { readonly title?: string } | object;
  readonly uri?: string;
  readonly uriTemplate?: string;
}

/**
 * `title`, for tools then `annotations.title`, then `name` (schema of revision 2025-11-25, BaseMetadata.title). If
 * nothing of these is visible, the URI; without one, the name with its characters spelled out.
 */
export function displayLabel(item: Named): string {
  const { annotations } = item;
  const annotated =
    annotations !== undefined && 'title' in annotations ? annotations.title : undefined;
  const { title, name, uri, uriTemplate } = item;
  return [title, annotated, name, uri, uriTemplate].find(isSeen) ?? visibleWhole(name);
}

function isSeen(value: string | undefined): value is string {
  return typeof value === 'string' && !isUnseen(value);
}
