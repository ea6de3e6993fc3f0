import * as v from 'valibot';
import { anyRecord, openObject, optional } from './open-object.js';

/** What a widget of the OpenAI family wants kept for its next life; any JSON value. */
export const widgetStateParamsSchema = openObject({ state: v.unknown() });

/** A widget's request for a dialog that shows its own template, or another registered one. */
export const modalParamsSchema = openObject({
  title: optional(v.string()),
  params: optional(anyRecord),
  template: optional(v.string()),
});
