import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');

/** The lines of a file between `// #region name` and the next `// #endregion`, without the indentation they share. */
const readRegion = (text: string, name: string): string => {
  const lines = text.split('\n');
  const start = lines.findIndex((line) => line.trim() === `// #region ${name}`);
  const end = lines.findIndex((line, index) => index > start && line.trim() === '// #endregion');
  if (start < 0 || end < 0) return '';
  const indent = (lines[start] ?? '').length - (lines[start] ?? '').trimStart().length;
  return lines
    .slice(start + 1, end)
    .map((line) => line.slice(indent))
    .join('\n');
};

/** A region of a file as a guide shows it: after the imports it uses, so that a reader can copy the whole. */
export const readGuideCode = (file: string, name: string): string => {
  const text = readFileSync(join(root, file), 'utf8');
  const region = readRegion(text, name);
  const imports = [...text.matchAll(/^import \{\s*([^}]*?),?\s*\} from ('[^']+');$/gm)].flatMap(
    ([, names = '', from = '']) => {
      const used = names.split(/,\s*/).filter((each) => new RegExp(`\\b${each}\\b`).test(region));
      const isHere = region.includes(` from ${from};`);
      return used.length > 0 && !isHere ? [`import { ${used.join(', ')} } from ${from};`] : [];
    },
  );
  return imports.length === 0 ? region : `${imports.join('\n')}\n\n${region}`;
};
