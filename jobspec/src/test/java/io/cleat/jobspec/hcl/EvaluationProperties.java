package io.cleat.jobspec.hcl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Laws of the evaluator on random expressions; a failure names its seed. */
final class EvaluationProperties {
    private static final int RUNS = 500;

    /** A text with what a second, simpler evaluator says it is. */
    private record Sum(String text, BigDecimal value, int level) {}

    @Test
    void bracketsAreNeededOnlyWherePrecedenceSaysSo() {
        for (int seed = 0; seed < RUNS; seed++) {
            Sum sum = sum(new Random(seed), 5);
            assertEquals(new Value.Num(sum.value), eval(sum.text), "seed " + seed);
        }
    }

    /** Writes brackets only around what binds less tightly than its surroundings. */
    private static Sum sum(Random random, int depth) {
        int kind = depth == 0 ? 0 : random.nextInt(6);
        if (kind == 0) {
            BigDecimal number = BigDecimal.valueOf(random.nextInt(2000), random.nextInt(3));
            return new Sum(number.toPlainString(), number, 9);
        }
        if (kind == 1) {
            Sum of = sum(random, depth - 1);
            return new Sum("-" + bracketed(of, 8), of.value.negate(), 8);
        }
        if (kind == 2) {
            Sum left = sum(random, depth - 1);
            Sum right = sum(random, depth - 1);
            boolean less = left.value.compareTo(right.value) < 0;
            String text = bracketed(left, 5) + " < " + bracketed(right, 5) + " ? 1 : 0";
            return new Sum(text, less ? BigDecimal.ONE : BigDecimal.ZERO, 0);
        }
        Sum left = sum(random, depth - 1);
        Sum right = sum(random, depth - 1);
        return switch (kind) {
            case 3 -> new Sum(joined(left, "+", right, 5), left.value.add(right.value), 5);
            case 4 -> new Sum(joined(left, "-", right, 5), left.value.subtract(right.value), 5);
            default -> new Sum(joined(left, "*", right, 6), left.value.multiply(right.value), 6);
        };
    }

    private static String joined(Sum left, String operator, Sum right, int level) {
        return bracketed(left, level) + " " + operator + " " + bracketed(right, level + 1);
    }

    private static String bracketed(Sum sum, int least) {
        return sum.level < least ? "(" + sum.text + ")" : sum.text;
    }

    @Test
    void whatIsWrittenAsJsonReadsBack() throws Misuse {
        for (int seed = 0; seed < RUNS; seed++) {
            Value value = value(new Random(seed), 4);
            String json = JsonText.of(value);
            assertEquals(value, JsonText.read(json), "seed " + seed);
            // JSON is an expression too, once its holes are escaped.
            String escaped = json.replace("${", "$${").replace("%{", "%%{");
            assertEquals(value, eval(escaped), "seed " + seed);
        }
    }

    @Test
    void splittingUndoesJoining() {
        for (int seed = 0; seed < RUNS; seed++) {
            Random random = new Random(seed);
            List<Value> parts = new ArrayList<>();
            for (int i = random.nextInt(6); i >= 0; i--) {
                parts.add(Value.of("p" + random.nextInt(100)));
            }
            Value list = new Value.Items(parts);
            assertEquals(list, eval("split(\", \", join(\", \", " + list(parts) + "))"), "seed " + seed);
            assertEquals(list, eval("[for x in " + list(parts) + " : x]"), "seed " + seed);
            assertEquals(Value.of(parts.size()), eval("length(concat(" + list(parts) + ", []))"), "seed " + seed);
        }
    }

    private static String list(List<Value> parts) {
        try {
            return JsonText.of(new Value.Items(parts));
        } catch (Misuse e) {
            throw new AssertionError(e);
        }
    }

    private static Value value(Random random, int depth) {
        return switch (random.nextInt(depth == 0 ? 4 : 6)) {
            case 0 -> new Value.Null();
            case 1 -> Value.of(random.nextBoolean());
            case 2 -> new Value.Num(BigDecimal.valueOf(random.nextInt(100000), random.nextInt(4)));
            case 3 -> Value.of(text(random));
            case 4 -> {
                List<Value> items = new ArrayList<>();
                for (int i = random.nextInt(4); i > 0; i--) {
                    items.add(value(random, depth - 1));
                }
                yield new Value.Items(items);
            }
            default -> {
                Map<String, Value> fields = new TreeMap<>();
                for (int i = random.nextInt(4); i > 0; i--) {
                    fields.put(text(random), value(random, depth - 1));
                }
                yield new Value.Fields(fields);
            }
        };
    }

    private static String text(Random random) {
        String[] bits = {"a", "\"", "\\", "\n", "${", "%{", "$", "é", "😀", "<", "\t", "}", " "};
        StringBuilder out = new StringBuilder();
        for (int i = random.nextInt(6); i > 0; i--) {
            out.append(bits[random.nextInt(bits.length)]);
        }
        return out.toString();
    }

    private static Value eval(String text) {
        Faults faults = new Faults();
        Value value = FixedRuntime.evaluate(Source.of("test.hcl", text), faults);
        assertTrue(faults.isEmpty(), () -> FaultText.plain().render(faults.sorted()));
        return value;
    }
}
