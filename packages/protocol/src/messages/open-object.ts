import * as v from 'valibot';
import { isRecord } from '../is-record.js';

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

/** A number one can calculate with. */
export const finiteNumber = v.custom<number>(Number.isFinite, 'Expected a finite number');

/** A request id or progress token: a string or an integer. */
export const idOrToken = v.custom<string | number>(
  (value) => typeof value === 'string' || Number.isSafeInteger(value),
  'Expected a string or an integer',
);

/** Features outside the specification by identifier; official apps want an object for each. */
export const experimental = v.custom<Record<string, object>>(
  (value) => isRecord(value) && Object.values(value).every(isRecord),
  'Expected an object of objects',
);

/** A key that may be absent. */
export const optional = <S extends v.GenericSchema>(schema: S): v.OptionalSchema<S, undefined> =>
  v.optional(schema);

/** More than anybody means; each item of a list costs far more to check than to send. */
const MAX_ITEMS = 1_000;

/** A list that is measured before its items are looked at. */
export const list = <S extends v.GenericSchema>(item: S, most = MAX_ITEMS) =>
  v.pipe(
    v.custom<v.InferInput<S>[]>(
      (value) => Array.isArray(value) && value.length <= most,
      `Expected a list of at most ${most}`,
    ),
    v.array(item),
  );
