import { toPrintable } from '@casement/protocol/basics';
import { CodePlaceView } from './code-place.js';
import type { LoadRow } from './console-rows.js';

const maxShown = 100;

/** What the app wanted and did not get: the address, who wanted it, and why not, where the browser tells. */
export const LoadList = ({ loads }: { loads: readonly LoadRow[] }) => (
  <ul className="load-list" aria-label="Failed loads" tabIndex={0}>
    {loads.slice(0, maxShown).map(({ key, url, element, status, place }) => (
      <li key={key}>
        <code>{toPrintable(url, 400)}</code>
        <span className="quiet">
          {element === 'css' ? 'named by a style sheet' : `<${toPrintable(element, 40)}>`},{' '}
          {toPrintable(status, 60)} <CodePlaceView place={place} />
        </span>
      </li>
    ))}
    {loads.length > maxShown && <li className="quiet">and {loads.length - maxShown} more</li>}
  </ul>
);
