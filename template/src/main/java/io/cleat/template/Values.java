package io.cleat.template;

import io.cleat.base.Meter;
import io.cleat.base.MeteredText;
import io.cleat.base.Refused;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
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
    static String text(@Nullable Object value, Meter meter) throws Refused {
        if (value instanceof String text) {
            return text;
        }
        MeteredText out = new MeteredText(meter);
        print(value, out);
        return out.toString();
    }

    /** As {@code %v} prints it. */
    static void print(@Nullable Object value, MeteredText out) throws Refused {
        switch (value) {
            case null -> out.add("<nil>");
            case List<?> list -> {
                String before = "[";
                for (Object each : list) {
                    print(each, out.add(before));
                    before = " ";
                }
                out.add(list.isEmpty() ? "[]" : "]");
            }
            case Map<?, ?> map -> {
                String before = "map[";
                for (Map.Entry<?, ? extends @Nullable Object> each :
                        sorted(map, out.meter()).entrySet()) {
                    out.add(before).add(String.valueOf(each.getKey())).add(":");
                    print(each.getValue(), out);
                    before = " ";
                }
                out.add(map.isEmpty() ? "map[]" : "]");
            }
            case Number number when !isWhole(number) -> out.add(general(number.doubleValue()));
            default -> out.add(String.valueOf(value));
        }
    }

    /** In the order of the keys. */
    static Map<Object, @Nullable Object> sorted(Map<?, ?> map, Meter meter) throws Refused {
        meter.makeElements(map.size());
        return new TreeMap<Object, @Nullable Object>(map);
    }

    /** A fraction, or what is none, as {@code %v} prints it. */
    static String fraction(double value) {
        return general(value);
    }

    private static String general(double value) {
        return Double.isNaN(value) || Double.isInfinite(value)
                ? Double.isNaN(value) ? "NaN" : value > 0 ? "+Inf" : "-Inf"
                : value == 0 ? 1 / value < 0 ? "-0" : "0" : general(new BigDecimal(Double.toString(value)), 21);
    }

    /** As {@code %g} writes it: with an exponent if that is less than -4 or at least {@code largest}. */
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
