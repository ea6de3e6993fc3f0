import { Disclosure } from '../../parts/disclosure.js';
import { Facts, Section } from '../../parts/section.js';
import { toDrawingFacts, toSizeHistory, type DrawnApp } from './drawing-facts.js';

const maxShown = 40;

/** When the app drew first, whether its content fits, and how its size went. */
export const Drawing = ({ app }: { app: DrawnApp }) => {
  const facts = toDrawingFacts(app);
  if (facts.length === 0) return null;
  const sizes = toSizeHistory(app);
  return (
    <Section title="Drawing" note="The app’s page says so itself; times count from the run.">
      <Facts rows={facts} />
      {sizes.length > 0 && (
        <Disclosure title={`Sizes so far (${sizes.length})`}>
          <ol className="size-history">
            {sizes.slice(-maxShown).map((text, index) => (
              <li key={index}>{text}</li>
            ))}
          </ol>
        </Disclosure>
      )}
    </Section>
  );
};
