package io.cleat.jobspec.hcl;

/** Text that grows to at most {@link Limits#TEXT} characters. Not thread-safe. */
final class BoundedText {
    private final StringBuilder out = new StringBuilder();

    BoundedText add(String text) throws Misuse {
        if (out.length() + (long) text.length() > Limits.TEXT) {
            throw new Misuse(
                    "The result is longer than " + Limits.TEXT + " characters.", out.length() / Limits.TEXT_PER_STEP);
        }
        out.append(text);
        return this;
    }

    Value value() {
        return Value.of(out.toString());
    }

    @Override
    public String toString() {
        return out.toString();
    }
}
