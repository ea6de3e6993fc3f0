import { isEvalError } from '@casement/protocol/reports';
import { toPrintable } from '@casement/protocol/basics';
import type { AppFacts, SeenScriptError } from './doctor-facts.js';
import type { DoctorFinding } from './report.js';
import { toPlace, toSourcePlace } from './to-place.js';

/** As many as the host keeps. */
const maxErrors = 20;

/** What an error said and where, as a part of a sentence. */
export const toErrorText = (error: SeenScriptError, app: Pick<AppFacts, 'address'>): string => {
  const place = toPlace(error, app);
  return `${toPrintable(error.message, 300)}${place === undefined ? '' : ` (${place})`}`;
};

/** The error that most likely kept the app from starting; one that eval left behind is told by what was blocked. */
export const findFirstError = ({
  scriptErrors,
}: Pick<AppFacts, 'scriptErrors'>): SeenScriptError | undefined =>
  scriptErrors.slice(0, maxErrors).find((error) => !isEvalError(error)) ?? scriptErrors[0];

/** The way to the source of an error: of one without a place, its stack knows it. */
export const toErrorSource = (error: SeenScriptError): Pick<DoctorFinding, 'place'> => {
  const { message, stack } = error;
  const known = toSourcePlace(error);
  if (!known && stack === undefined) return {};
  return { place: { message, ...known?.place, ...(stack === undefined ? {} : { stack }) } };
};

/** Errors that nothing in the app caught, as its page told them. */
export const findScriptErrors = (app: AppFacts): DoctorFinding[] =>
  app.scriptErrors.slice(0, maxErrors).map((error) => {
    const path = toPlace(error, app);
    return {
      code: 'script-error',
      stage: 'loaded',
      severity: 'error',
      witness: 'app',
      message: `The app threw an error that nothing caught: ${toErrorText(error, app)}`,
      fix: 'Fix the error, or catch it where it can happen.',
      ...(path !== undefined && { path }),
      ...toErrorSource(error),
    };
  });
