/** A style sheet; imported for its effect alone. */
export {};
