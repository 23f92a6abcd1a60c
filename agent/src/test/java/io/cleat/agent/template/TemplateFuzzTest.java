package io.cleat.agent.template;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.base.Meter;
import io.cleat.base.Refused;
import io.cleat.template.Function;
import io.cleat.template.Template;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Templates made by chance, with a small meter: a text comes out, or a refusal, and nothing else. */
final class TemplateFuzzTest {
    private static final int LARGEST = 50_000;
    private static final int TRIES = 1_500;

    private static final List<String> CONSTANTS = List.of(
            "0",
            "1",
            "-1",
            "7",
            "1000",
            "9223372036854775807",
            "-9223372036854775808",
            "1.5",
            "1e300",
            "\"\"",
            "\"a\"",
            "\",\"",
            "\"a,b;c:d\"",
            "\"%\"",
            "\"%1000000d%s%v%q%.999999f%x%U%c\"",
            "\"(([a-z]+)*)*!\"",
            "\"[[1,{\\\"a\\\":null}],2]\"",
            "\"{\\\"a\\\":[1,2]}\"",
            "\"\\ud800\"",
            "\"é\\n\\n\"",
            "\"0101 PM\"",
            "true",
            "nil",
            ".",
            ".a",
            "$");

    private final Map<String, Function> functions = new HashMap<>();
    private final List<String> names = new ArrayList<>();

    TemplateFuzzTest() {
        TextFunctions.addTo(functions);
        ValueFunctions.addTo(functions);
        names.addAll(functions.keySet());
        names.addAll(List.of(
                "and",
                "or",
                "not",
                "len",
                "index",
                "slice",
                "print",
                "printf",
                "println",
                "html",
                "js",
                "urlquery",
                "eq",
                "ne",
                "lt",
                "le",
                "gt",
                "ge"));
        names.sort(String::compareTo);
    }

    @Test
    void rendering_templatesOfChance_givesATextOrARefusal() {
        int rendered = 0;
        for (int seed = 0; seed < TRIES; seed++) {
            String text = body(new Random(seed), 4);
            try {
                Meter meter = new Meter(new Meter.Limits(20_000, 200_000, Template.DEEPEST));
                String out = Template.parse("t", text, Template.Delimiters.BRACES, functions, meter)
                        .render(
                                Map.of("a", List.of("x", 2L)),
                                new Template.Options(Template.Missing.NOTHING, LARGEST),
                                meter);
                assertTrue(out.length() <= LARGEST);
                rendered++;
            } catch (Refused refused) {
                assertTrue(refused.refusal().message().startsWith("template: t:"), text);
            } catch (RuntimeException | StackOverflowError | OutOfMemoryError fault) {
                throw new AssertionError("seed " + seed + ": " + text, fault);
            }
        }
        assertTrue(rendered > TRIES / 100, "hardly any was a template: " + rendered);
    }

    private String body(Random random, int depth) {
        StringBuilder out = new StringBuilder();
        for (int i = random.nextInt(3); i >= 0; i--) {
            String pipe = pipe(random, 3);
            out.append(
                    switch (depth == 0 ? 0 : random.nextInt(7)) {
                        case 0, 1 -> "{{ " + pipe + " }}";
                        case 2 -> "{{ $x := " + pipe + " }}{{ print $x $x }}";
                        case 3 -> "{{ if " + pipe + " }}" + body(random, depth - 1) + "{{ end }}";
                        case 4 -> "{{ range " + pipe + " }}" + body(random, depth - 1) + "{{ end }}";
                        case 5 ->
                            "{{ $y := print " + pipe(random, 1) + " }}{{ range 30 }}{{ $y = print $y $y }}{{ end }}";
                        default -> "{{ with " + pipe + " }}" + body(random, depth - 1) + "{{ else }}e{{ end }}";
                    });
        }
        return out.toString();
    }

    private String pipe(Random random, int depth) {
        StringBuilder out = new StringBuilder(command(random, depth));
        for (int i = random.nextInt(3); i > 0; i--) {
            out.append(" | ").append(command(random, depth));
        }
        return out.toString();
    }

    private String command(Random random, int depth) {
        if (random.nextInt(5) == 0) {
            return operand(random, depth);
        }
        StringBuilder out = new StringBuilder(names.get(random.nextInt(names.size())));
        for (int i = random.nextInt(4); i > 0; i--) {
            out.append(' ').append(operand(random, depth));
        }
        return out.toString();
    }

    private String operand(Random random, int depth) {
        return depth > 0 && random.nextInt(3) == 0
                ? "(" + pipe(random, depth - 1) + ")"
                : CONSTANTS.get(random.nextInt(CONSTANTS.size()));
    }
}
