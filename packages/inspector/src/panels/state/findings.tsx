import type { AppSnapshot } from '@casement/host';
import type { MetadataFinding } from '@casement/protocol';
import { toPrintable } from '@casement/protocol/basics';
import { Section } from '../../parts/section.js';
import { ShowSource } from '../../source/show-source.js';
import { toErrorPlace } from '../../stage/failure-advice.js';

/** What the author of the app should know, each with the fix. */
export const Findings = ({ findings }: { findings: readonly MetadataFinding[] }) =>
  findings.length === 0 ? null : (
    <Section title={`Findings (${findings.length})`}>
      <ul className="finding-list">
        {findings.map(({ code, message, fix, path }, index) => (
          <li key={`${index} ${code}`}>
            <p>
              <code>{toPrintable(code, 60)}</code> {toPrintable(message, 600)}
            </p>
            <p>
              <strong>Fix:</strong> {toPrintable(fix, 600)}
            </p>
            <p className="panel-note">
              At <code>{toPrintable(path, 200)}</code>
            </p>
          </li>
        ))}
      </ul>
    </Section>
  );

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
