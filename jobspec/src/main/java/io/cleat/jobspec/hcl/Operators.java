package io.cleat.jobspec.hcl;

import io.cleat.jobspec.hcl.Token.Kind;
import java.math.BigDecimal;
import java.math.MathContext;

/** What the operators do; {@code &&} and {@code ||} take both sides. */
final class Operators {
    private Operators() {}

    static Value binary(Kind operator, Value left, Value right) throws Misuse {
        return switch (operator) {
            case EQUAL -> Value.of(left.equals(right));
            case NOT_EQUAL -> Value.of(!left.equals(right));
            case AND, OR -> logic(operator, Convert.bool(left), Convert.bool(right));
            case LESS -> Value.of(compare(left, right) < 0);
            case GREATER -> Value.of(compare(left, right) > 0);
            case LESS_OR_EQUAL -> Value.of(compare(left, right) <= 0);
            case GREATER_OR_EQUAL -> Value.of(compare(left, right) >= 0);
            default -> arithmetic(operator, Convert.number(left), Convert.number(right));
        };
    }

    private static Value logic(Kind operator, boolean left, boolean right) {
        return Value.of(operator == Kind.AND ? left && right : left || right);
    }

    private static int compare(Value left, Value right) throws Misuse {
        return Convert.number(left).compareTo(Convert.number(right));
    }

    private static Value arithmetic(Kind operator, BigDecimal left, BigDecimal right) throws Misuse {
        boolean divides = operator == Kind.SLASH || operator == Kind.PERCENT;
        if (divides && right.signum() == 0) {
            throw new Misuse("Division by zero.");
        }
        BigDecimal result = switch (operator) {
            case PLUS -> left.add(right);
            case MINUS -> left.subtract(right);
            case STAR -> left.multiply(right);
            case SLASH -> left.divide(right, MathContext.DECIMAL128);
            case PERCENT -> left.remainder(right);
            default -> throw new Misuse(operator.text() + " is no operator.");
        };
        return number(result);
    }

    static Value unary(Kind operator, Value of) throws Misuse {
        return operator == Kind.NOT
                ? Value.of(!Convert.bool(of))
                : number(Convert.number(of).negate());
    }

    /** A computed number, of a bounded length. */
    static Value number(BigDecimal result) throws Misuse {
        BigDecimal shortest = result.stripTrailingZeros();
        if (!Numbers.fits(shortest)) {
            throw new Misuse("The result has more than " + Limits.DIGITS + " digits.");
        }
        return new Value.Num(shortest);
    }
}
