package io.cleat.schedule;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.model.Constraint;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ConstraintTest {
    @ParameterizedTest(name = "{1} {0} {2} -> {3}")
    @CsvSource(delimiter = '|', textBlock = """
                    =                | linux       | linux           | true
                    =                | linux       | darwin          | false
                    !=               | linux       | darwin          | true
                    !=               |             | darwin          | true
                    is_set           | x           |                 | true
                    is_set           |             |                 | false
                    is_not_set       |             |                 | true
                    <                | 9           | 10              | true
                    >=               | 2           | 10              | false
                    <                | abc         | abd             | true
                    version          | 1.7.2       | >= 1.6, < 2.0   | true
                    version          | 2.0.0       | >= 1.6, < 2.0   | false
                    version          | 1.7.0-beta1 | >= 1.6          | false
                    semver           | 1.7.0-beta1 | >= 1.6.0        | true
                    semver           | 1.7.0-beta.2 | > 1.7.0-beta.10 | false
                    version          | 1.2.9       | ~> 1.2.3        | true
                    version          | 1.3.0       | ~> 1.2.3        | false
                    version          | 1.9         | ~> 1.2          | true
                    version          | nonsense    | >= 1            | false
                    version          | 1.0         | nonsense        | false
                    regexp           | vm-17       | ^vm-[0-9]+$     | true
                    regexp           | vm-17       | (               | false
                    set_contains     | a,b,c       | a, c            | true
                    set_contains     | a,b         | a,c             | false
                    set_contains_any | a,b         | c,b             | true
                    =                |             | linux           | false
                    """)
    void table(String operand, String left, String right, boolean met) {
        assertEquals(met, isMet(operand, left, right));
    }

    private static boolean isMet(String operand, @Nullable String left, @Nullable String right) {
        return new ConstraintFilter(new Constraint("", operand, ""), new Searches()).isMet(operand, left, right);
    }

    /** The second overflows the stack of an engine that backtracks, the first takes for ever. */
    @ParameterizedTest
    @ValueSource(strings = {"(([a-z]+)*)*!", "^(a|b)*!$"})
    void regexp_thatBacktracksForEver_isDecidedSoon(String expression) {
        String left = "ab".repeat(20_000);
        assertTimeoutPreemptively(Duration.ofSeconds(20), () -> assertFalse(isMet("regexp", left, expression)));
    }

    @Test
    void regexp_ofManyNodesThatTakesLong_isRefusedForThoseBehindTheBudget() {
        Searches searches = new Searches();
        String expression = "[a-q][^u-z]{900}x";
        Set<Searches.Found> found = new HashSet<>();
        assertTimeoutPreemptively(Duration.ofSeconds(60), () -> {
            for (int node = 0; node < 2_000; node++) {
                found.add(searches.find(expression, node + "ab".repeat(5_000)));
            }
        });
        assertTrue(found.contains(Searches.Found.REFUSED), found.toString());
    }

    @ParameterizedTest
    @ValueSource(strings = {"version", "semver"})
    void version_ofAMillionCharacters_isNotMet(String operand) {
        assertFalse(isMet(operand, "1" + ".1".repeat(500_000), ">= 1.0"));
        assertFalse(isMet(operand, "1.0", ">= 1" + ".1".repeat(500_000)));
        assertFalse(isMet(operand, "1.0", ">= 1.0,".repeat(200_000)));
        assertFalse(isMet(operand, "1.0-" + "a.".repeat(500_000), " ".repeat(1_000_000)));
    }

    @ParameterizedTest
    @CsvSource({
        "dc1, dc1, true",
        "dc1, dc2, false",
        "*, dc1, true",
        "dc*, dc1, true",
        "*1, dc1, true",
        "d*1, dc1, true",
        "d**1, dc1, true",
        "d*c*2, dc1, false",
        "*.eu*, a.eu.b, true",
        "dc1*, dc1, true",
        "dc.*, dcx, false",
    })
    void glob_starsStandForAnyCharacters(String glob, String name, boolean matches) {
        assertEquals(matches, Glob.matches(glob, name));
    }

    @Test
    void glob_manyStars_isDecidedSoon() {
        assertTimeoutPreemptively(
                Duration.ofSeconds(20), () -> assertFalse(Glob.matches("*a".repeat(500) + "b", "a".repeat(2_000))));
    }
}
