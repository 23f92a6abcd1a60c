package io.cleat.base;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class LinearPatternTest {
    private static final String LONG = "ab".repeat(50_000);
    private static final String MEBI = "ab".repeat(1 << 19);

    private static Meter meter() {
        return new Meter(new Meter.Limits(5_000_000, 16 << 20, 100));
    }

    private static String replaced(String expression, String text, String by) throws Refused {
        return LinearPattern.compile(expression).replaceAll(text, by, meter());
    }

    /** On a virtual thread, as all work of requests and tasks runs. */
    private static void onVirtualThread(Runnable work) {
        CompletableFuture<Void> done = new CompletableFuture<>();
        Thread.ofVirtual().start(() -> {
            try {
                work.run();
                done.complete(null);
            } catch (Throwable failed) {
                done.completeExceptionally(failed);
            }
        });
        done.join();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "^(a|b)*!$",
                "(([a-z]+)*)*!",
                "(a|ab|b)*(a|ab|b)*!",
                "(.*)(.*)(.*)(.*)(.*)(.*)!",
                "(x+x+)+y",
                "^((a|b)*)*$!"
            })
    void searching_expressionThatBacktracksForEver_endsSoon(String expression) {
        assertTimeoutPreemptively(
                Duration.ofSeconds(20),
                () -> onVirtualThread(() -> assertDoesNotThrow(
                        () -> assertFalse(LinearPattern.compile(expression).isFoundIn(LONG)))));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "((a{1000}){1000}){1000}",
                "(((a{30}){30}){30}){30}",
                "(a{1000}\\Q(\\E){1000}",
                "([]a]{1000}){1000}",
                "([[:alpha:]]{1000}[(]){1000}",
                "(\\p{Greek}{1000}){1000}",
                "(.*){1000}(.*){1000}"
            })
    void compiling_repeatsOfRepeats_areRefusedBeforeTheyFillTheHeap(String expression) {
        Refused refused = assertThrows(Refused.class, () -> LinearPattern.compile(expression));
        assertTrue(
                refused.refusal().message().startsWith("expression too large"),
                refused.refusal().message());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                ".{1000}",
                "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}",
                "(?i)^\\p{L}{1,200}$",
                "(?P<major>[0-9]+)\\.(?P<minor>[0-9]+)"
            })
    void compiling_expressionsOfRealFiles_areTaken(String expression) {
        assertDoesNotThrow(() -> LinearPattern.compile(expression));
    }

    @Test
    void searching_largestAndDeepestExpression_leavesTheStackWhole() {
        String deep = "(?:".repeat(249) + "a*" + ")*".repeat(1) + ")".repeat(248);
        String wide = "(?:a*){550}";
        String choices = "(?:a|b|c|d|e|){190}";
        String optional = "(?:ab?){0,600}";
        for (String expression : new String[] {deep, wide, choices, optional}) {
            onVirtualThread(() ->
                    assertDoesNotThrow(() -> LinearPattern.compile(expression).isFoundIn("b")));
        }
    }

    @Test
    void compiling_longExpression_isRefused() {
        Refused refused = assertThrows(Refused.class, () -> LinearPattern.compile("a".repeat(1001)));
        assertEquals(
                "expression of 1001 characters: the most is 1000",
                refused.refusal().message());
    }

    @Test
    void compiling_manyGroups_isRefused() {
        assertThrows(Refused.class, () -> LinearPattern.compile("()".repeat(101)));
    }

    @Test
    void compiling_noExpression_isRefusedInTheWordsOfGo() {
        Refused refused = assertThrows(Refused.class, () -> LinearPattern.compile("a(b"));
        assertEquals(
                "error parsing regexp: missing closing ): `a(b`",
                refused.refusal().message());
        Refused back = assertThrows(Refused.class, () -> LinearPattern.compile("(a)\\1"));
        assertEquals(
                "error parsing regexp: invalid escape sequence: `\\1`",
                back.refusal().message());
    }

    @Test
    void searching_largeExpressionOnLongText_isRefusedAfterItsWork() throws Refused {
        LinearPattern pattern = LinearPattern.compile("[a-q][^u-z]{900}x");
        Refused refused = assertThrows(Refused.class, () -> pattern.isFoundIn(MEBI));
        assertTrue(
                refused.refusal().message().contains("takes too long"),
                refused.refusal().message());
    }

    @Test
    void replacing_whatIsSoughtToTheEndForEachMatch_isRefusedAfterItsWork() {
        assertThrows(Refused.class, () -> replaced(".*[^a-z]|[a-z]", MEBI, "x"));
    }

    @Test
    void searching_meterIsNearlySpent_isRefused() throws Refused {
        Meter meter = new Meter(new Meter.Limits(100, 100, 1));
        LinearPattern pattern = LinearPattern.compile("x");
        assertThrows(Refused.class, () -> pattern.isFoundIn(MEBI, meter));
    }

    @Test
    void replacing_resultTooLarge_isRefusedBeforeItIsMade() {
        Meter meter = new Meter(new Meter.Limits(5_000_000, 1000, 1));
        Refused refused = assertThrows(
                Refused.class, () -> LinearPattern.compile("a").replaceAll("a".repeat(100), "b".repeat(100), meter));
        assertEquals(
                "it needs more than 1,000 characters in memory: 1,000 are used, and this needs"
                        + " 100; make it smaller, or split it",
                refused.refusal().message());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            value = {
                "[0-9]+ ~ a1b22 ~ <${0}> ~ a<1>b<22>",
                "(a)(1) ~ a1b ~ $2\\ ~ 1\\b",
                "(?P<x>a) ~ aab ~ [${x}$x] ~ [aa][aa]b",
                "a ~ aab ~ $7 ~ b",
                "a ~ aab ~ $$1 ~ $1$1b",
                "(a) ~ aab ~ $1x ~ b",
                "(a) ~ aab ~ ${1}x$ ~ ax$ax$b",
                "x* ~ abc ~ - ~ -a-b-c-"
            })
    void replacing_groups_areFilledInAsGoDoes(String expression, String text, String by, String expected)
            throws Refused {
        assertEquals(expected, replaced(expression, text, by));
    }
}
