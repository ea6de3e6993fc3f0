import type { MetadataFinding } from '@casement/protocol';
import { toPrintable } from '@casement/protocol';
import { Section } from '../parts/section.js';

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
