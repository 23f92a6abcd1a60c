package io.cleat.jobspec.hcl;

/**
 * What a hostile file may ask for at most. Each limit is far above what real files use; together they bound the time,
 * the stack and the heap of reading one.
 */
final class Limits {
    /** Characters of one source, and of one file read by {@code file}. */
    static final int FILE = 1 << 20;

    /** Levels of nested blocks, brackets and templates. */
    static final int NESTING = 100;

    /** Levels of nested evaluation, references between locals included. */
    static final int EVALUATION = 250;

    /** Evaluation steps of one file. */
    static final long STEPS = 500_000;

    /** Steps that a block made by a dynamic one counts for: it becomes an object of the job. */
    static final int STEPS_PER_BLOCK = 50;

    /** Characters that count as one step, and as one element of a value. */
    static final int TEXT_PER_STEP = 16;

    /** Elements of one value, all its levels counted. */
    static final long WEIGHT = 250_000;

    /** Parts a text is split into, and elements that JSON in a text may have. */
    static final int PARTS = 50_000;

    /** Expressions, blocks and attributes of one source; each is some hundred bytes once read. */
    static final int PARSED = 100_000;

    /** Levels of one value. */
    static final int DEPTH = 100;

    /** Characters of one string. */
    static final int TEXT = 1 << 20;

    /** Decimal digits of one number, before and behind the point. */
    static final int DIGITS = 1000;

    /** Elements {@code range} makes. */
    static final int RANGE = 1024;

    private Limits() {}
}
