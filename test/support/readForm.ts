/** Forms as an elicitation of 2025-11-25 asks for them. */
import type { Form } from '../../src/host/forms/form.ts';
import { readForm } from '../../src/host/forms/readForm.ts';
import { createSchemaChecker } from '../../src/entries/schemas.ts';

export const checker = createSchemaChecker();

/** @param schema without its type */
export function formOf(schema: Readonly<Record<string, unknown>>): Promise<Form> {
  return readForm({ type: 'object', ...schema }, '2025-11-25', checker);
}
