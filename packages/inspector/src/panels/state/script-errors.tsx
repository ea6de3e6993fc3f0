import { toErrorPlace } from '@casement/checks/doctor';
import type { AppSnapshot } from '@casement/host';
import { toPrintable } from '@casement/protocol/basics';
import { Section } from '../../parts/section.js';
import { ShowSource } from '../../source/show-source.js';

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
            {toErrorPlace(error) !== '' && (
              <p className="panel-note">
                At <code>{toPrintable(toErrorPlace(error), 300)}</code>
              </p>
            )}
            <ShowSource place={error} />
          </li>
        ))}
      </ol>
    </Section>
  );
