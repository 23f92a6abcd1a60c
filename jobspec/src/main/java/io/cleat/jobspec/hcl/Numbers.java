package io.cleat.jobspec.hcl;

import java.math.BigDecimal;
import java.util.Optional;

/** Numbers of a bounded length. */
public final class Numbers {
    /** A number has at most so many digits on each side of its point, and as text in all. */
    public static final int DIGITS = Limits.DIGITS;

    private Numbers() {}

    /** The number a text is, or empty when it is none or too long. */
    public static Optional<BigDecimal> parse(String text) {
        if (text.isEmpty() || text.length() > Limits.DIGITS) {
            return Optional.empty();
        }
        try {
            BigDecimal number = new BigDecimal(text);
            return fits(number) ? Optional.of(number) : Optional.empty();
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }

    /** Written in full, it has at most {@link Limits#DIGITS} digits on each side of the point. */
    static boolean fits(BigDecimal number) {
        long scale = number.scale();
        return number.precision() <= Limits.DIGITS
                && scale <= Limits.DIGITS
                && number.precision() - scale <= Limits.DIGITS;
    }
}
