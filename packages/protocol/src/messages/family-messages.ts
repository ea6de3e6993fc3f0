import { anyRecord, openObject, text, unknown } from './schema.js';

/** What a widget of the OpenAI family wants kept for its next life; any JSON value. */
export const widgetStateParamsSchema = openObject({ state: unknown });

/** A widget's request for a dialog that shows its own template, or another registered one. */
export const modalParamsSchema = openObject({}, { title: text, params: anyRecord, template: text });
