package io.cleat.jobspec;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Locale;
import java.util.OptionalLong;

/** Sizes as people write them: {@code 10GiB} is 2^30 times ten, {@code 10GB} and {@code 10G} 10^9. */
public final class Sizes {
    private static final String LETTERS = "kmgtpe";

    private Sizes() {}

    /**
     * A size in bytes. Case and spaces before the unit do not matter; a number without a unit is bytes, no text at all
     * is 0, and a part of a byte is dropped.
     *
     * @return empty when the text is no size, is negative, or is 2^63 bytes or more
     */
    public static OptionalLong parse(String text) {
        String given = text.strip().toLowerCase(Locale.ROOT);
        if (given.isEmpty()) {
            return OptionalLong.of(0);
        }
        int end = 0;
        while (end < given.length() && "0123456789.".indexOf(given.charAt(end)) >= 0) {
            end++;
        }
        OptionalLong unit = unit(given.substring(end).strip());
        if (unit.isEmpty() || end > 30) {
            return OptionalLong.empty();
        }
        try {
            BigDecimal bytes = new BigDecimal(given.substring(0, end))
                    .multiply(BigDecimal.valueOf(unit.getAsLong()))
                    .setScale(0, RoundingMode.DOWN);
            return OptionalLong.of(bytes.longValueExact());
        } catch (ArithmeticException | NumberFormatException e) {
            return OptionalLong.empty();
        }
    }

    private static OptionalLong unit(String unit) {
        if (unit.isEmpty() || unit.equals("b")) {
            return OptionalLong.of(1);
        }
        int power = LETTERS.indexOf(unit.charAt(0)) + 1;
        if (power == 0) {
            return OptionalLong.empty();
        }
        return switch (unit.substring(1)) {
            case "", "b" -> OptionalLong.of(power(1000, power));
            case "i", "ib" -> OptionalLong.of(power(1024, power));
            default -> OptionalLong.empty();
        };
    }

    private static long power(long base, int exponent) {
        long result = 1;
        for (int i = 0; i < exponent; i++) {
            result *= base;
        }
        return result;
    }

    /** Bytes in the largest binary unit, such as {@code 64 MiB} or {@code 1.5 GiB}. */
    public static String format(long bytes) {
        if (bytes < 1024) {
            return bytes + " B";
        }
        int power = Math.min(LETTERS.length(), (63 - Long.numberOfLeadingZeros(bytes)) / 10);
        BigDecimal size =
                BigDecimal.valueOf(bytes).divide(BigDecimal.valueOf(power(1024, power)), 1, RoundingMode.HALF_UP);
        String number = size.compareTo(BigDecimal.TEN) >= 0
                ? size.setScale(0, RoundingMode.HALF_UP).toPlainString()
                : size.toPlainString();
        return number + " " + Character.toUpperCase(LETTERS.charAt(power - 1)) + "iB";
    }
}
