import * as v from 'valibot';
import { isRecord } from './is-record.js';

/** An object schema whose unknown keys survive; arrays and other exotic objects are not objects here. */
export const openObject = <const E extends v.ObjectEntries>(entries: E): v.ObjectSchema<E, undefined> => {
  const schema = v.looseObject(entries);
  const run = schema['~run'];
  Object.assign(schema, {
    '~run': function (
      this: typeof schema,
      dataset: v.UnknownDataset,
      config: v.Config<v.BaseIssue<unknown>>,
    ) {
      return run.call(this, isRecord(dataset.value) ? dataset : { ...dataset, value: undefined }, config);
    },
  });
  // Through unknown: the kept extra keys are left out of the type, so that a misspelt key is a type error.
  return schema as unknown as v.ObjectSchema<E, undefined>;
};

/** Any object, passed on as it is: keys such as `constructor` are data here and must not get lost. */
export const anyRecord = v.custom<Record<string, unknown>>(isRecord, 'Expected an object');

/** A key that may be absent. */
export const optional = <S extends v.GenericSchema>(schema: S): v.OptionalSchema<S, undefined> =>
  v.optional(schema);
