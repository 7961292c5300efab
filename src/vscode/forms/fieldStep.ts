/** The step that fits a field of a form, whoever asks. host/forms decides which values are valid. */
import type { FormField } from '../../host/forms/form.ts';
import type { FieldInputs } from '../../host/forms/formDraft.ts';
import { askOne, askSome } from './pickStep.ts';
import type { Frame, Place, StepButton, StepEnd } from './step.ts';
import { askTyped } from './typedStep.ts';

/** @param textButtons additional buttons of a text field; a field for a secret has none of them */
export function askField(
  frame: Frame,
  place: Place,
  draft: FieldInputs,
  field: FormField,
  textButtons: readonly StepButton[] = [],
): Promise<StepEnd> {
  switch (field.kind) {
    case 'text':
      return askTyped(frame, place, draft, field, field.seemsSecret ? [] : textButtons);
    case 'number':
      return askTyped(frame, place, draft, field);
    case 'boolean':
    case 'choice':
      return askOne(frame, place, draft, field);
    case 'choices':
      return askSome(frame, place, draft, field);
  }
}
