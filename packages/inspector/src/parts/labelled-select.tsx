interface Option<T extends string> {
  value: T;
  label?: string;
  disabled?: boolean;
}

interface LabelledSelectProps<T extends string> {
  label: string;
  /** What the choice means. */
  title?: string;
  value: T;
  options: readonly Option<T>[];
  disabled?: boolean;
  onChange(value: T): void;
}

/** A choice with its name beside it. */
export const LabelledSelect = <T extends string>({
  label,
  title,
  value,
  options,
  disabled,
  onChange,
}: LabelledSelectProps<T>) => (
  <label className="labelled" title={title}>
    <span>{label}</span>
    <select
      value={value}
      disabled={disabled}
      onChange={(event) => {
        const chosen = options.find((option) => option.value === event.target.value);
        if (chosen) onChange(chosen.value);
      }}
    >
      {options.map((option) => (
        <option key={option.value} value={option.value} disabled={option.disabled}>
          {option.label ?? option.value}
        </option>
      ))}
    </select>
  </label>
);
