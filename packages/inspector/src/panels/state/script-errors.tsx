import type { AppSnapshot } from '@casement/host';
import { toPrintable } from '@casement/protocol';
import { Section } from '../parts/section.js';

const toPlace = ({ sourceFile, line, column }: AppSnapshot['scriptErrors'][number]): string =>
  [sourceFile, line, column].filter((part) => part !== undefined).join(':');

/** Errors nobody caught in the app’s document; its own report, so an app could make them up. */
export const ScriptErrors = ({ errors }: { errors: AppSnapshot['scriptErrors'] }) =>
  errors.length === 0 ? null : (
    <Section
      title={`Script errors (${errors.length})`}
      note="Uncaught errors and rejections of the app’s document, the first twenty."
    >
      <ol className="finding-list">
        {errors.map((error, index) => (
          <li key={index}>
            <p>{toPrintable(error.message, 600)}</p>
            {toPlace(error) !== '' && (
              <p className="panel-note">
                At <code>{toPrintable(toPlace(error), 300)}</code>
              </p>
            )}
          </li>
        ))}
      </ol>
    </Section>
  );
