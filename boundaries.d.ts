/** What one room of the code may know: a row of the boundary table. */
export interface Boundary {
  readonly folder: string;
  readonly imports: readonly string[];
  readonly globals: readonly string[];
  readonly typeOnly?: readonly string[];
  readonly rooms?: readonly string[];
  readonly typesOf?: readonly string[];
  readonly door?: readonly string[];
}

export const boundaries: readonly Boundary[];
export const everyGlobal: readonly string[];
export const findRoom: (file: string) => Boundary | undefined;
export const toSourceFolder: (path: string) => string | undefined;
