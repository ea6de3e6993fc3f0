type Shapes = Readonly<Record<string, (bytes: number) => string>>;
export const resultShapes: Shapes;
export const toolShapes: Shapes;
