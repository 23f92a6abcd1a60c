package io.cleat.template;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Plain values: what they are called, whether they count as true, and how they print. */
final class Values {
    private Values() {}

    static boolean isTrue(@Nullable Object value) {
        return switch (value) {
            case null -> false;
            case Boolean bool -> bool;
            case String text -> !text.isEmpty();
            case List<?> list -> !list.isEmpty();
            case Map<?, ?> map -> !map.isEmpty();
            case Number number -> decimal(number).signum() != 0;
            default -> true;
        };
    }

    private static BigDecimal signum(double value) {
        return Double.isNaN(value) ? BigDecimal.ZERO : BigDecimal.valueOf(Math.signum(value));
    }

    static boolean isWhole(@Nullable Object value) {
        return value instanceof Long
                || value instanceof Integer
                || value instanceof Short
                || value instanceof Byte
                || value instanceof BigInteger;
    }

    /** For comparing; what is infinite is larger than all else, what is no number is zero. */
    static BigDecimal decimal(Number number) {
        if (number instanceof Double value && !Double.isFinite(value)) {
            return BigDecimal.ONE.scaleByPowerOfTen(400).multiply(signum(value));
        }
        return number instanceof BigDecimal decimal ? decimal : new BigDecimal(number.toString());
    }

    /** What Go calls it. */
    static String kind(@Nullable Object value) {
        return switch (value) {
            case null -> "nil";
            case Boolean _ -> "bool";
            case String _ -> "string";
            case List<?> _ -> "[]interface {}";
            case Map<?, ?> _ -> "map[string]interface {}";
            case Number number -> isWhole(number) ? "int" : "float64";
            default -> value.getClass().getSimpleName();
        };
    }

    /** As {@code %v} prints it. */
    static String text(@Nullable Object value) {
        return switch (value) {
            case null -> "<nil>";
            case List<?> list ->
                    list.stream().map(Values::text).collect(Collectors.joining(" ", "[", "]"));
            case Map<?, ?> map ->
                    new TreeMap<Object, @Nullable Object>(map)
                            .entrySet().stream()
                                    .map(each -> each.getKey() + ":" + text(each.getValue()))
                                    .collect(Collectors.joining(" ", "map[", "]"));
            case Number number when !isWhole(number) -> general(number.doubleValue());
            default -> String.valueOf(value);
        };
    }

    private static String general(double value) {
        return Double.isNaN(value) || Double.isInfinite(value)
                ? Double.isNaN(value) ? "NaN" : value > 0 ? "+Inf" : "-Inf"
                : value == 0
                        ? 1 / value < 0 ? "-0" : "0"
                        : general(new BigDecimal(Double.toString(value)), 21);
    }

    /**
     * As {@code %g} writes it: with an exponent if that is less than -4 or at least {@code
     * largest}.
     */
    static String general(BigDecimal value, int largest) {
        BigDecimal exact = value.stripTrailingZeros();
        int exponent = exact.precision() - exact.scale() - 1;
        if (exact.signum() == 0 || (exponent >= -4 && exponent < largest)) {
            return exact.toPlainString();
        }
        String digits = exact.unscaledValue().abs().toString();
        String mantissa = digits.charAt(0) + (digits.length() > 1 ? "." + digits.substring(1) : "");
        return (exact.signum() < 0 ? "-" : "")
                + mantissa
                + "e"
                + (exponent < 0 ? "-" : "+")
                + (Math.abs(exponent) < 10 ? "0" : "")
                + Math.abs(exponent);
    }
}
