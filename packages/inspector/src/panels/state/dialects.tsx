import type { AppSnapshot } from '@casement/host';
import { toPrintable } from '@casement/protocol/basics';
import { Section } from '../../parts/section.js';

/** What people call the older documents. */
const documents: Record<AppSnapshot['dialects'][number], string> = {
  'first-draft': 'the first draft',
  goose: 'Goose',
  frontmcp: 'FrontMCP',
  'architecture-page': 'the architecture page',
};

/** The older names the app uses, each with today’s, and the object an older app finds on its window. */
export const Dialects = ({ snapshot }: { snapshot: AppSnapshot }) => {
  const { dialects, findings, resource } = snapshot;
  const names = findings.filter(({ code }) => code === 'dialect');
  if (dialects.length === 0 && names.length === 0 && !resource?.shim) return null;
  return (
    <Section title="Dialects">
      {dialects.length > 0 && (
        <>
          <p>
            The app speaks names of older documents ({dialects.map((one) => documents[one]).join(', ')}). They
            are understood, and it is answered in them; other hosts may not.
          </p>
          <ul className="dialect-names">
            {names.map(({ message, fix }) => (
              <li key={message}>
                {toPrintable(message, 300)} <strong>{toPrintable(fix, 300)}</strong>
              </li>
            ))}
          </ul>
        </>
      )}
      {resource?.shim && (
        <p>
          The document was given <code>window.mcpApp</code>, which older samples expect: its type or its text
          asks for it. No other host promises that object.
        </p>
      )}
    </Section>
  );
};
