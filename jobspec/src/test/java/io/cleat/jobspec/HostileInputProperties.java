package io.cleat.jobspec;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.jobspec.hcl.FaultText;
import io.cleat.jobspec.hcl.FixedRuntime;
import io.cleat.jobspec.hcl.Source;
import io.cleat.jobspec.hcl.Variables;
import java.io.IOException;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever the text is: a value or faults, in bounded time, stack and heap. */
final class HostileInputProperties {
    private static final String[] BITS = {
        "{",
        "}",
        "[",
        "]",
        "(",
        ")",
        "\"",
        "${",
        "%{",
        "$${",
        "}",
        "~}",
        "<<E\n",
        "<<-E\n",
        "\nE\n",
        "\n",
        "=",
        "=>",
        ":",
        ",",
        ".",
        "...",
        "?",
        "*",
        "[*]",
        ".*",
        "-",
        "!",
        "&&",
        "/*",
        "*/",
        "#",
        "//",
        "\\",
        "\\u12",
        "for x in ",
        " if ",
        "if true",
        "else",
        "endif",
        "for ",
        "endfor",
        "job \"x\" ",
        "group \"g\" ",
        "task \"t\" ",
        "dynamic \"task\" ",
        "content ",
        "for_each",
        "variable \"v\" ",
        "locals ",
        "local.a",
        "var.v",
        "null",
        "1e999",
        "0.1",
        "\u0000",
        "\ud800",
        "é",
        "range(1000)",
        "format(\"%9d\", ",
        "secrets ",
        "optional(",
        "validation "
    };

    @Test
    void randomTokensNeverBreakTheReader() {
        for (int seed = 0; seed < 3000; seed++) {
            Random random = new Random(seed);
            String text = IntStream.range(0, random.nextInt(60))
                    .mapToObj(i -> BITS[random.nextInt(BITS.length)])
                    .collect(Collectors.joining(random.nextBoolean() ? "" : " "));
            survives(text, "seed " + seed);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"synthetic.hcl", "plugin.hcl", "claim.hcl", "fleet.hcl", "claim.json"})
    void damagedFilesNeverBreakTheReader(String name) throws IOException {
        String whole = JobFileTest.resource(name);
        for (int seed = 0; seed < 300; seed++) {
            Random random = new Random(seed);
            StringBuilder text = new StringBuilder(whole);
            for (int i = random.nextInt(4); i >= 0; i--) {
                int at = random.nextInt(text.length());
                switch (random.nextInt(4)) {
                    case 0 -> text.deleteCharAt(at);
                    case 1 -> text.insert(at, BITS[random.nextInt(BITS.length)]);
                    case 2 -> text.setLength(Math.max(1, at));
                    default -> text.insert(at, text.substring(at / 2, at));
                }
            }
            survives(text.toString(), name + ", seed " + seed);
        }
    }

    @Test
    void nothingIsNestedTooDeepForTheStack() {
        for (String open : new String[] {
            "a = [",
            "a = (",
            "a = {b=",
            "a = \"${",
            "a {",
            "a = !",
            "a = -",
            "a = f(",
            "a = true ? 1 : ",
            "a = [for x in ",
            "a = \"%{ if true }",
            "a = x[",
            "{\"a\":",
            "{\"a\":[",
            "variable \"a\" { type = list(",
            "a = [{b=[",
            "a = 1 == ("
        }) {
            String name = open.startsWith("a = ") ? open.substring(4) : open;
            refused(open + name.repeat(100_000), open);
        }
        refused("locals {\n a = b" + ".c".repeat(200_000) + "\n}", "steps");
        refused("locals {\n a = 1" + "+1".repeat(200_000) + "\n}", "sum");
        refused("locals {\n a = [1]" + "[*]".repeat(100_000) + "\n}", "splats");
        refused("locals {\n a = \"" + "%{ if true }".repeat(50_000) + "\"\n}", "directives");
    }

    @Test
    void smallTextsCannotGrowWithoutBound() {
        refused(chain("[local.%1$s, local.%1$s]", "[1]"), "lists that double");
        refused(chain("\"${local.%1$s}${local.%1$s}\"", "\"xxxxxxxx\""), "texts that double");
        refused(chain("local.%1$s * local.%1$s", "12345.678"), "numbers that double");
        refused(chain("[local.%1$s]", "1", 150), "lists in lists");
        refused(chain("local.%1$s + 1", "1", 2000), "locals that need each other");
        refused("locals {\n a = 1e999999999 \n}", "a long number");
        refused("locals {\n a = 1e999 * 1e999\n}", "a long product");
        refused("locals {\n a = format(\"%999999999d\", 1)\n}", "a wide field");
        refused("locals {\n a = range(999999999)\n}", "a long range");
        String loop = "for x in range(1000) : ";
        refused("locals {\n a = [" + loop + "[" + loop + "[" + loop + "1]]]\n}", "loops");
        refused(
                "locals {\n r = range(1000)\n a = \"%{ for x in local.r }%{ for y in local.r }"
                        + "%{ for z in local.r }.%{ endfor }%{ endfor }%{ endfor }\"\n}",
                "loops of a template");
        refused(
                "locals {\n r = range(1000)\n t = join(\",\", local.r)\n"
                        + " a = [for x in local.r : [for y in local.r : replace(local.t, \"1\", local.t)]]\n}",
                "replacements");
        refused("""
                job "x" { dynamic "group" {
                  for_each = range(1000)
                  content { dynamic "task" {
                    for_each = range(1000)
                    content { dynamic "artifact" {
                      for_each = range(1000)
                      content {}
                    } }
                  } }
                } }
                """, "dynamic blocks");
        refused(
                "locals { a = [for x in range(1000) : [for y in range(500) : " + "9".repeat(990) + " % 7.3]] }",
                "long numbers");
        refused("a = 1\n".repeat(100_000), "attributes given twice");
        refused(numbered("k%d = 1", 60_000), "unknown attributes");
        refused(numbered("k%d = local.l%<d", 40_000), "unknown locals");
        String name = "x".repeat(400_000);
        refused("locals {\n " + name + "a = local." + name + "b\n}", "long names");
        refused("= \n".repeat(300_000), "faults");
        refused("x = [\n".repeat(100_000), "faults that reach far");
        refused("a = \"".repeat(100_000), "quotes");
        refused("a = <<E\n".repeat(100_000), "heredocs");
        refused(" ".repeat((1 << 20) + 1), "a long file");
        refused("{" + "\"a\":1,".repeat(100_000), "JSON without end");
        refused("{\"a\":1e999999999}", "a long JSON number");
    }

    @Test
    void brackets_openedAndClosedByOthers_areGoneOverInLinearTime() {
        refused("a = " + "(".repeat(500_000) + "]".repeat(500_000), "brackets of two kinds");
        refused("a = " + "({".repeat(250_000) + "]".repeat(500_000), "brackets of three kinds");
    }

    @Test
    void values_ofOneFile_areCountedBeforeTheyAreMade() {
        refused("locals {\n a = [" + "1,".repeat(500_000) + "1]\n}", "elements");
        refused("a {}\n".repeat(150_000), "blocks");
        refused("a " + "b ".repeat(300_000) + "{}", "labels");
        refused("locals {\n a = \"" + "${1}".repeat(200_000) + "\"\n}", "holes");
    }

    @Test
    void functions_thatMakeManyElementsOfAText_areStoppedBeforeTheyAreMade() {
        String commas = "[" + "[],".repeat(200_000) + "0]";
        refused("locals {\n a = split(\",\", \"" + commas + "\")\n}", "parts");
        refused("locals {\n a = split(\"\", \"" + commas + "\")\n}", "characters");
        refused("locals {\n a = jsondecode(\"" + commas + "\")\n}", "JSON elements");
    }

    /** In production they run on virtual threads, whose stack is that of their carrier. */
    @Test
    void files_ofTheGreatestDepth_areReadOnAVirtualThread_andOneMoreLevelIsRefused() {
        for (String[] level : new String[][] {
            {"[", "]"},
            {"(", ")"},
            {"{b=", "}"},
            {"\"${", "}\""},
            {"!", ""},
            {"upper(", ")"}
        }) {
            int most = 0;
            for (int depth = 200; depth > 0 && most == 0; depth--) {
                if (!onVirtualThread(nested(level, depth)).contains("Nested too deep")) {
                    most = depth;
                }
            }
            assertTrue(most >= 45, level[0] + most);
        }
    }

    private static String nested(String[] level, int depth) {
        return "locals {\n a = " + level[0].repeat(depth) + "true" + level[1].repeat(depth) + "\n}";
    }

    private static String onVirtualThread(String text) {
        CompletableFuture<String> shown = new CompletableFuture<>();
        Thread.ofVirtual().start(() -> {
            try {
                shown.complete(shown(JobFile.parse(Source.of("f", text), Variables.none(), FixedRuntime.runtime())));
            } catch (Throwable failed) {
                shown.completeExceptionally(failed);
            }
        });
        return shown.join();
    }

    /** A local block of many lines. */
    private static String numbered(String line, int count) {
        return IntStream.range(0, count)
                .mapToObj(line::formatted)
                .collect(Collectors.joining("\n", "locals {\n", "\nx = local.y }"));
    }

    /** Locals each made of the one before. */
    private static String chain(String step, String first) {
        return chain(step, first, 60);
    }

    private static String chain(String step, String first, int length) {
        StringBuilder text = new StringBuilder("locals {\n l0 = " + first + "\n");
        for (int i = 1; i <= length; i++) {
            String before = "l" + (i - 1);
            text.append(" l")
                    .append(i)
                    .append(" = ")
                    .append(step.formatted(before))
                    .append('\n');
        }
        return text.append("}\n").toString();
    }

    private static void refused(String text, String what) {
        String shown = survives(text, what);
        assertFalse(shown.isEmpty(), what);
        assertTrue(shown.length() < 3_000_000, what + ": " + shown.length());
    }

    /** The faults as shown; empty for a value. */
    private static String survives(String text, String what) {
        return assertTimeoutPreemptively(Duration.ofSeconds(20), () -> {
            try {
                Source source = Source.of("f", text);
                String job = shown(JobFile.parse(source, Variables.none(), FixedRuntime.runtime()));
                Source again = Source.of("f", text);
                VolumeFile.parse(again, Variables.none(), FixedRuntime.runtime());
                return job;
            } catch (RuntimeException | StackOverflowError e) {
                throw new AssertionError(what, e);
            }
        });
    }

    private static String shown(Parsed<?> parsed) {
        return switch (parsed) {
            case Parsed.Good<?> _ -> "";
            case Parsed.Bad<?> bad -> FaultText.plain().render(bad.faults()) + bad.lines();
        };
    }
}
