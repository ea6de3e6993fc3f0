import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

const escape = (text: string): string => text.replace(/[\\()]/g, (sign) => `\\${sign}`);

/** The bytes of the smallest real PDF with one page for each text, in a font every viewer has. */
const toPdf = (texts: readonly string[]): Buffer => {
  // Objects 1 to 3 are catalog, page tree and font; then each page is followed by its content.
  const pageNumber = (index: number): number => 4 + index * 2;
  const pages = texts.flatMap((text, index) => {
    const content = `BT /F1 24 Tf 40 120 Td (${escape(text)}) Tj ET`;
    const place = '/MediaBox [0 0 420 200] /Resources << /Font << /F1 3 0 R >> >>';
    return [
      `<< /Type /Page /Parent 2 0 R ${place} /Contents ${pageNumber(index) + 1} 0 R >>`,
      `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    ];
  });
  const kids = texts.map((_, index) => `${pageNumber(index)} 0 R`).join(' ');
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${kids}] /Count ${texts.length} >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    ...pages,
  ];
  let text = '%PDF-1.4\n';
  const offsets = objects.map((object, index) => {
    const offset = text.length;
    text += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return offset;
  });
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  const size = objects.length + 1;
  const trailer = `trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${text.length}\n%%EOF\n`;
  return Buffer.from(`${text}xref\n0 ${size}\n0000000000 65535 f \n${table}${trailer}`, 'latin1');
};

/** Writes a PDF with one page for each text and returns its path. */
export const writePdf = (folder: string, name: string, texts: readonly string[]): string => {
  const path = join(folder, name);
  writeFileSync(path, toPdf(texts));
  return path;
};
